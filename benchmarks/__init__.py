"""What it costs: commands that print ratios from one run."""
