"""The words of the sources list, by language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace


@dataclass(frozen=True, slots=True)
class Labels:
    """The words that readers see or hear."""

    sources: str = "Sources"
    """The heading of the list."""
    back: str = "Back to citation {n}"
    """Said of a back link; ``{n}`` is the ordinal of the citation it leads to, among those of the source."""
    accessed: str = "accessed {date}"
    """When the source was read; ``{date}`` as the author wrote it."""
    archived: str = "archived copy"
    """The link to an archived copy."""


_LANGUAGES = {
    "ar": Labels("المصادر", "العودة إلى الاقتباس {n}", "اطُّلع عليه في {date}", "نسخة مؤرشفة"),
    "bg": Labels("Източници", "Обратно към цитат {n}", "посетен на {date}", "архивирано копие"),
    "ca": Labels("Fonts", "Torna a la citació {n}", "consultat el {date}", "còpia arxivada"),
    "cs": Labels("Zdroje", "Zpět na citaci {n}", "navštíveno {date}", "archivovaná kopie"),
    "da": Labels("Kilder", "Tilbage til henvisning {n}", "besøgt {date}", "arkiveret kopi"),
    "de": Labels("Quellen", "Zurück zu Beleg {n}", "abgerufen am {date}", "archivierte Fassung"),
    "el": Labels(
        "Πηγές", "Πίσω στην παραπομπή {n}", "ανακτήθηκε {date}", "αρχειοθετημένο αντίγραφο"
    ),
    "en": Labels(),
    "es": Labels("Fuentes", "Volver a la cita {n}", "consultado el {date}", "copia archivada"),
    "fa": Labels("منابع", "بازگشت به ارجاع {n}", "بازدید در {date}", "نسخهٔ بایگانی‌شده"),
    "fi": Labels("Lähteet", "Takaisin viittaukseen {n}", "viitattu {date}", "arkistoitu kopio"),
    "fr": Labels("Sources", "Retour à la citation {n}", "consulté le {date}", "copie archivée"),
    "he": Labels("מקורות", "חזרה לציטוט {n}", "נבדק ב־{date}", "עותק בארכיון"),
    "hi": Labels("स्रोत", "उद्धरण {n} पर वापस", "{date} को देखा गया", "संग्रहीत प्रति"),
    "hu": Labels(
        "Források", "Vissza a(z) {n}. hivatkozáshoz", "elérés: {date}", "archivált másolat"
    ),
    "id": Labels("Sumber", "Kembali ke kutipan {n}", "diakses {date}", "salinan arsip"),
    "it": Labels("Fonti", "Torna alla citazione {n}", "consultato il {date}", "copia archiviata"),
    "ja": Labels("出典", "引用箇所{n}に戻る", "{date}閲覧", "アーカイブ"),
    "ko": Labels("출처", "인용 {n}(으)로 돌아가기", "{date} 확인", "보존된 사본"),
    "nb": Labels("Kilder", "Tilbake til henvisning {n}", "besøkt {date}", "arkivert kopi"),
    "nl": Labels(
        "Bronnen", "Terug naar verwijzing {n}", "geraadpleegd op {date}", "gearchiveerde kopie"
    ),
    "pl": Labels("Źródła", "Wróć do odwołania {n}", "dostęp {date}", "kopia archiwalna"),
    "pt": Labels("Fontes", "Voltar à citação {n}", "acessado em {date}", "cópia arquivada"),
    "ro": Labels("Surse", "Înapoi la citarea {n}", "accesat la {date}", "copie arhivată"),
    "ru": Labels("Источники", "Назад к ссылке {n}", "дата обращения: {date}", "архивная копия"),
    "sv": Labels("Källor", "Tillbaka till hänvisning {n}", "hämtad {date}", "arkiverad kopia"),
    "tr": Labels("Kaynaklar", "{n}. alıntıya dön", "erişim tarihi: {date}", "arşivlenmiş kopya"),
    "uk": Labels("Джерела", "Назад до посилання {n}", "дата звернення: {date}", "архівна копія"),
    "vi": Labels("Nguồn", "Quay lại trích dẫn {n}", "truy cập {date}", "bản lưu trữ"),
    "zh": Labels("来源", "返回引用 {n}", "访问于 {date}", "存档副本"),
    "zh-hant": Labels("來源", "返回引用 {n}", "存取於 {date}", "存檔副本"),
}
# By Unicode's CLDR, as browsers do it. French has its spaces, which that leaves out.
_QUOTES = {
    "ar": "”{}“",
    "bg": "„{}“",
    "ca": "«{}»",
    "cs": "„{}“",
    "de": "„{}“",
    "el": "«{}»",
    "es": "«{}»",
    "fa": "«{}»",
    "fi": "”{}”",
    "fr": "«\u00a0{}\u00a0»",
    "he": "”{}”",
    "hu": "„{}”",
    "it": "«{}»",
    "ja": "「{}」",
    "nb": "«{}»",
    "nl": "‘{}’",
    "pl": "„{}”",
    "ro": "„{}”",
    "ru": "«{}»",
    "sv": "”{}”",
    "uk": "«{}»",
    "zh-hant": "「{}」",
}
_ALIASES = {"no": "nb", "nn": "nb", "zh-tw": "zh-hant", "zh-hk": "zh-hant", "zh-mo": "zh-hant"}


def labels_for(language: str, given: str | Mapping[str, str] | None = None) -> Labels:
    """The words for a page in *language* (a BCP 47 tag; English where we lack it, or it is empty).

    *given* is the option ``labels``: a language tag that wins over the page's, or words by name with
    an optional ``language``. Raises ``ValueError`` for anything else.
    """
    if isinstance(given, str):
        if not _known(given):
            known = ", ".join(_LANGUAGES)
            raise ValueError(
                f"option labels: expected a language ({known}) or words, found {given!r}"
            )
        return _LANGUAGES[_known(given)]
    if given is None:
        return _LANGUAGES[_known(language) or "en"]
    if not isinstance(given, Mapping):
        raise ValueError(f"option labels: expected a language or words, found {given!r}")
    words = dict(given)
    tag = words.pop("language", language)
    names = [field.name for field in fields(Labels)]
    for name, text in words.items():
        if name not in names or not isinstance(text, str):
            allowed = ", ".join([*names, "language"])
            raise ValueError(f"option labels: expected text for {allowed}, found {name}: {text!r}")
    return replace(_LANGUAGES[_known(tag if isinstance(tag, str) else "") or "en"], **words)


def quoted(text: str, language: str) -> str:
    """*text* in the quotation marks of *language* (English ones where we lack it), for output without CSS."""
    return _QUOTES.get(_known(language), "“{}”").format(text)


def _known(language: str) -> str:
    """The nearest language we have words for, empty where there is none (RFC 4647 lookup)."""
    tag = language.strip().lower().replace("_", "-")
    while tag:
        if (name := _ALIASES.get(tag, tag)) in _LANGUAGES:
            return name
        tag = tag.rpartition("-")[0]
    return ""
