"""Names at one table must not be taken for each other.

Two names look alike if they have the same skeleton (Unicode Technical Standard 39): what is left when every letter is
replaced by the one that it looks like.  Most of that is in Python's own tables: compatibility forms (full-width and
mathematical letters, ligatures) and accents.  What is not is listed here: letters of other scripts that look like Latin
ones, and a few that look alike among themselves.  Vowels and dots count where the letter below is of their own script;
on any other they are ornaments, or not to be seen at all.
"""
# ruff: noqa: RUF001, RUF002

from collections.abc import Collection, Container, Iterable, Iterator
from typing import Final
from unicodedata import category, combining, decimal, normalize
from unicodedata import name as unicode_name

from tichu.server.table.refusals import Refusal, TableReason
from tichu.server.table.sanitize import clean

__all__ = ["NUMBERS", "looks_like", "name_keys", "numbered", "skeleton", "unique_name"]

#: What tells people of one name at a table apart.
NUMBERS: Final = range(2, 8)

#: Letters, and below each the one that it is taken for.
_LOOKALIKES: Final = (
    # Cyrillic
    ("АВЕЅІЈКМНОРСТУХЗЬҮԌԚԜѴҺӀ", "ABESIJKMHOPCTYX3bYGQWVhI"),
    ("авеѕіјкмнорстухзьүԁԛԝѵһӏгп", "aBesijkMHopcTyx3bydqwvhIrn"),
    # Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϺͿ", "ABEZHIKMNOPTYXCMJ"),
    ("αβγεηικνορστυχϲω", "aßyenikvopotuxcw"),
    # Armenian, Hebrew, Arabic
    ("ՏՍՕԼօսոհցզյաւ", "SUOLounhgqjwi"),
    ("סוןاه٠١٥", "olllo.lo"),
    # Cherokee
    ("ᎠᎡᎢᎥᎪᎫᎬᎳᎷᎻᏀᏃᏞᏟᏢᏦᏙᏚᏴᏏᏎᏔ", "DRTiAJEWMHGZLCPKVSBb4W"),
    # Lisu, Coptic, Canadian syllables
    ("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "ABCDEFGHIJKLMNOPRSTUVWXYZ"),
    ("ⲤⲎⲔⲘⲚⲞⲢⲦⲬⲨⲒⲥⲟⲣ", "CHKMNOPTXYIcop"),
    ("ᗅᗷᗞᖴᕼᒍᒪᗰᑭᖇᑌᐯ", "ABDFHJLMPRUV"),
    # Latin: without dot, bar or hook; small capitals
    ("ıɩɑɡʋøđðłħŧƒƿØĐŁĦŦ", "iiagvoddlhtfpODLHT"),
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "ABCDEFGHIJKLMNOPRSTUVWYZ"),
    # Rarer letters and signs, by their numbers
    ("×ſƄƍƖƽǀɣɯ˛ͺϜϳѡҽգռքଠഠဝყჿሀዐᎩᎽᏂᏒᏕᏧᏳᑯᑲᕁᕽᖯᗪ᙭᙮ᚷᛁᛕ", "xfbglslywiiFjweqnfOooyoUOYYhRSdGdbxxbDXxXlK"),
    ("ᛖᴑᴦᶃᶌẝỿ℮∣∨∪⊤⋁⋃⋿⍳⍴⍺⏽╳⟙⤫⤬⨯ⲅⳐⴸⴹⵏⵔⵕⵝ〇ꓒꙇꛟꞘꞙꞟꞲꞳꞴꬲꬵ", "MorgyfyelvUTvUEipalXTxxxrLVElOQXOdiVFfuJXBef"),
    ("ꬽꭇꭈꭎꭒꭚꮁ￨𐊂𐊆𐊇𐊊𐊐𐊒𐊕𐊖𐊗𐊠𐊡𐊢𐊥𐊫𐊰𐊱𐊲𐊴𐋏𐋵𐌁𐌂𐌉𐌑𐌕𐌗𐌠𐌢𐐄𐐕𐐛𐐠𐐬𐐽𐑈𐒴", "orruuyrlBEFlXOPSTABCFOMTYXHZBClMTXlXOCLSocsR"),
    ("𐓂𐓎𐓪𐓶𐔓𐔖𐔘𐔜𐔝𐔥𐔦𐔧𑜆𑜊𑜎𑜏𑢠𑢢𑢣𑢤𑢦𑢩𑢮𑢲𑢵𑢸𑢼𑣀𑣁𑣂𑣃𑣄𑣈𑣗𑣘𑣜𑣬𑣯𑣲𖼈𖼊𖼖𖼨𖼵", "OUouNOKCVFLXvwwwVFLYEZELOUTvsFizoouyXWCVTLlR"),
    ("𖼺𖽀𖽂𖽃𝈍𝈓𝈖𝈪𝟊🝌🝨", "SAUYVFRLFCT"),
    # Kana, ideographs and Hangul letters by themselves
    ("二八口力夕工卜へ一丨", "ニハロカタエトヘーI"),
    ("ㅇㅁㅣㅡㅏ", "oロIート"),
    # Signs and digits
    ("|0\u2019\u2018`\u00b4\u02bc\u2010\u2011\u2012\u2013\u2014\u2212\u00b7\u2022", "IO'''''------.."),
    ("\u2032\u2035\u201b\u02b9\u02bb\u02bd\u02be\u02bf\u055a\ua78b\ua78c", "'" * 11),
    ("ǃⵑ\u2044\u2215\u29f8\u02d0\u02f8\u2236\ua789\u201a\ua4f8", "!!///::::,."),
    ("ƧƨƷʒӠӡƼȢȣᏮ", "2233335886"),
)
#: Last, because these replace what the others lead to.
_AS_ELL: Final = str.maketrans("I1", "ll")
_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("VV", "W"))
_TABLE: Final = {ord(one): other for signs, others in _LOOKALIKES for one, other in zip(signs, others, strict=True)}
#: Marks of this combining class and above are accents; those below are vowels, dots and other parts of a letter.
_ACCENTS: Final = 200
#: The two marks that are by name of no script: they make か a が.
_OF_KANA: Final = "\u3099\u309a"


def skeleton(name: str) -> str:
    """What a name looks like.

    >>> skeleton("Kim") == skeleton("Кіm") == skeleton("Ｋｉｍ") == skeleton("Kim\u0301") != skeleton("Tim")
    True
    """
    return _merged(_visible_letters(name))


def _folded_skeleton(name: str) -> str:
    """The same whether letters are large or small."""
    return _merged(_visible_letters(name.casefold()).casefold())


def _visible_letters(name: str) -> str:
    # Hangul letters by themselves first: decomposed, they would be parts of syllables.
    signs = "".join(map(_digit, normalize("NFKD", name.translate(_TABLE)))).translate(_TABLE)
    shown = [sign for sign in signs if combining(sign) < _ACCENTS and category(sign) not in ("Zs", "Cf")]
    return "".join(_without_ornaments(shown))


def _without_ornaments(signs: Iterable[str]) -> Iterator[str]:
    letter = ""
    for sign in signs:
        is_mark = category(sign)[0] == "M"
        if not is_mark:
            letter = sign
        if not is_mark or _script(letter) in _scripts_of_mark(sign):
            yield sign


def _scripts_of_mark(mark: str) -> tuple[str, ...]:
    return ("HIRAGANA", "KATAKANA") if mark in _OF_KANA else (_script(mark),)


def _script(sign: str) -> str:
    """The first word of what a sign is called."""
    return unicode_name(sign, "").partition(" ")[0] if sign else ""


def _digit(sign: str) -> str:
    """Digits of all scripts are those that everybody knows."""
    return str(decimal(sign, sign))


def _merged(letters: str) -> str:
    letters = letters.translate(_AS_ELL)
    for pair, one in _PAIRS:
        letters = letters.replace(pair, one)
    return letters


def looks_like(name: str, other: str) -> bool:
    """Whether somebody could take one name for the other.

    >>> looks_like("Paul", "PAUL"), looks_like("IIona", "llona"), looks_like("Paul", "Paula")
    (True, True, False)
    """
    return skeleton(name) == skeleton(other) or _folded_skeleton(name) == _folded_skeleton(other)


def name_keys(name: str) -> tuple[str, str]:
    """Two names look alike if one of their keys is the same.

    >>> [one == other for one, other in zip(name_keys("Paul"), name_keys("PAUL"))]
    [False, True]
    """
    return f"as written {skeleton(name)}", f"folded {_folded_skeleton(name)}"


def numbered(name: str, number: int) -> str:
    """The name of one more who is called like that.

    >>> numbered("Kim", 2)
    'Kim 2'
    """
    return f"{clean(name, 20)} {number}"


def unique_name(name: str, others: Collection[str], taken: Container[int] = ()) -> str:
    """The name, or with a number if somebody has it already; not with one that makes it the name of an account.

    :raises Refusal: it looks like another one and is not, or no number is left
    """
    if any(looks_like(name, other) and not _is_same(name, other) for other in others):
        raise Refusal(TableReason.LOOKALIKE)
    candidates = (name, *(numbered(name, number) for number in NUMBERS if number not in taken))
    for one in candidates:
        if not any(looks_like(one, other) for other in others):
            return one
    raise Refusal(TableReason.NAME_TAKEN)


def _is_same(name: str, other: str) -> bool:
    """Nobody is deceived by "kim" next to "Kim 2"."""
    return normalize("NFC", name).casefold() == normalize("NFC", other).casefold()
