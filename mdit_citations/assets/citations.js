/* Cards over citations: see docs/reading.md. */
{
  const doc = document, gap = 6;
  let card, link, tip, timer, device;

  /* None where the theme has previews. */
  const find = (node) => {
    const found = node.closest?.(".citation a.citation-link:not([data-citation-cards=off] *)");
    const own = found?.matches(".footnote-ref") ? /\.tooltips"/ : /"content\.tooltips"/;
    return found?.showPopover && !own.test(doc.querySelector("#__config")?.text) && found;
  };

  const ours = (node) => node === link || card?.contains(node);

  const add = (element, name, text) => {
    element.className = `citation-card-${name}`;
    element.textContent = text;
    card.append(element);
  };

  const fill = () => {
    const number = link.textContent.normalize("NFKC");
    const id = link.parentNode.id.replace(/fnref_(.*)cite_\d+$/, `cite_$1source_${number}`);
    const entry = doc.getElementById(id)?.closest(".sources li");
    const name = entry?.querySelector(".source-title").textContent || tip;
    add(doc.createElement("span"), "site", tip.slice(name.length + 3));
    add((entry?.querySelector(".source-number") || link).cloneNode(), "title", name);
    if (!entry) return;
    const rest = entry.querySelector("p").cloneNode(true);
    const first = rest.querySelector(".source-details, .source-note");
    if (first) first.textContent = first.textContent.replace(/^[ –.]+/, "");
    card.append(rest);
    const list = doc.createElement("a");
    list.href = `#${id}`;
    const heading = entry.closest(".sources").querySelector("[id]");
    add(list, "list", `${heading.firstChild.textContent} [${number}]`);
    card.style.fontSize = getComputedStyle(entry).fontSize;
  };

  const place = () => {
    if (!card) return;
    const { style } = card, { clientWidth, clientHeight } = doc.documentElement;
    const { left, width, top, bottom } = link.getBoundingClientRect();
    const below = clientHeight - bottom, up = card.scrollHeight + gap * 2 > below && top > below;
    style.maxHeight = (up ? top : below) - gap * 2 + "px";
    style.top = scrollY + (up ? top - gap - card.offsetHeight : bottom + gap) + "px";
    const room = clientWidth - card.offsetWidth - gap;
    style.left = scrollX + Math.max(gap, Math.min(left + (width - card.offsetWidth) / 2, room)) + "px";
  };

  const close = () => {
    clearTimeout(timer);
    if (!card) return;
    card.remove();
    link.title = tip;
    link.ariaDescription = null;
    card = link = null;
  };

  const open = (next) => {
    close();
    link = next;
    /* The browser's tip gives way. */
    tip = link.ariaDescription = link.title;
    link.title = "";
    card = doc.createElement("span");
    card.className = "citation-card";
    card.popover = "manual";
    fill();
    /* The Tab key's next stop. */
    link.after(card);
    card.showPopover();
    place();
  };

  const on = (name, action) => addEventListener(name, action, true);

  on("pointerover", ({ target, pointerType }) => {
    if (pointerType === "touch") return;
    clearTimeout(timer);
    if (ours(target)) return;
    const next = find(target);
    const stay = () => ours(doc.querySelector(":focus-visible"));
    timer = setTimeout(() => next ? open(next) : stay() || close(), 200);
  });
  on("pointerdown", ({ target, pointerType }) => {
    device = pointerType;
    if (!ours(target)) close();
  });
  /* The second tap follows. */
  on("click", (event) => {
    const next = device === "touch" && find(event.target);
    if (!next || next === link) return;
    event.preventDefault();
    event.stopPropagation();
    open(next);
  });
  on("focusin", ({ target }) => {
    if (ours(target)) return;
    close();
    if (find(target) && target.matches(":focus-visible")) open(target);
  });
  on("keydown", ({ key }) => {
    if (key !== "Escape") return;
    if (card?.contains(doc.activeElement)) link.focus();
    close();
  });
  /* With the page it scrolls by itself. */
  on("scrollend", place);
  on("resize", place);
}
