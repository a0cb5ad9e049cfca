//! Names every page uses, with fixed ids (data, not code). Elements first, so that their traits are a small table.

use super::NameId;

/// Number of element names in [`STATIC`].
pub(super) const ELEMENTS: usize = 189;

/// All names with a fixed id, by id.
pub(super) static STATIC: [&str; 411] = [
    "a",
    "abbr",
    "acronym",
    "address",
    "applet",
    "area",
    "article",
    "aside",
    "audio",
    "b",
    "base",
    "basefont",
    "bdi",
    "bdo",
    "bgsound",
    "big",
    "blink",
    "blockquote",
    "body",
    "br",
    "button",
    "canvas",
    "caption",
    "center",
    "cite",
    "code",
    "col",
    "colgroup",
    "command",
    "content",
    "data",
    "datalist",
    "dd",
    "del",
    "details",
    "dfn",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "fieldset",
    "figcaption",
    "figure",
    "font",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hgroup",
    "hr",
    "html",
    "i",
    "iframe",
    "image",
    "img",
    "input",
    "ins",
    "isindex",
    "kbd",
    "keygen",
    "label",
    "legend",
    "li",
    "link",
    "listing",
    "main",
    "map",
    "mark",
    "marquee",
    "menu",
    "menuitem",
    "meta",
    "meter",
    "multicol",
    "nav",
    "nextid",
    "nobr",
    "noembed",
    "noframes",
    "noscript",
    "object",
    "ol",
    "optgroup",
    "option",
    "output",
    "p",
    "param",
    "picture",
    "plaintext",
    "portal",
    "pre",
    "progress",
    "q",
    "rb",
    "rbc",
    "rp",
    "rt",
    "rtc",
    "ruby",
    "s",
    "samp",
    "script",
    "search",
    "section",
    "select",
    "selectedcontent",
    "shadow",
    "slot",
    "small",
    "source",
    "spacer",
    "span",
    "strike",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "svg",
    "table",
    "tbody",
    "td",
    "template",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "time",
    "title",
    "tr",
    "track",
    "tt",
    "u",
    "ul",
    "var",
    "video",
    "wbr",
    "xmp",
    "math",
    "mi",
    "mo",
    "mn",
    "ms",
    "mtext",
    "mglyph",
    "malignmark",
    "annotation-xml",
    "annotation",
    "mrow",
    "msup",
    "msub",
    "mfrac",
    "msqrt",
    "semantics",
    "mstyle",
    "mtable",
    "mtr",
    "mtd",
    "g",
    "path",
    "rect",
    "circle",
    "ellipse",
    "line",
    "polygon",
    "polyline",
    "defs",
    "use",
    "symbol",
    "desc",
    "foreignobject",
    "foreignObject",
    "text",
    "tspan",
    "mask",
    "filter",
    "pattern",
    "stop",
    "accept",
    "accept-charset",
    "accesskey",
    "action",
    "align",
    "alink",
    "allow",
    "allowfullscreen",
    "alt",
    "aria-atomic",
    "aria-busy",
    "aria-controls",
    "aria-current",
    "aria-describedby",
    "aria-disabled",
    "aria-expanded",
    "aria-haspopup",
    "aria-hidden",
    "aria-invalid",
    "aria-label",
    "aria-labelledby",
    "aria-live",
    "aria-modal",
    "aria-owns",
    "aria-pressed",
    "aria-selected",
    "async",
    "autocapitalize",
    "autocomplete",
    "autofocus",
    "autoplay",
    "axis",
    "background",
    "bgcolor",
    "border",
    "bordercolor",
    "cellpadding",
    "cellspacing",
    "char",
    "charset",
    "checked",
    "class",
    "classid",
    "clear",
    "codebase",
    "color",
    "cols",
    "colspan",
    "compact",
    "contenteditable",
    "controls",
    "coords",
    "crossorigin",
    "data-action",
    "data-category",
    "data-href",
    "data-icon",
    "data-id",
    "data-index",
    "data-name",
    "data-original",
    "data-src",
    "data-srcset",
    "data-target",
    "data-title",
    "data-toggle",
    "data-type",
    "data-url",
    "data-value",
    "datetime",
    "decoding",
    "default",
    "defer",
    "disabled",
    "download",
    "draggable",
    "enctype",
    "encoding",
    "equiv",
    "face",
    "fetchpriority",
    "fill",
    "for",
    "formaction",
    "frameborder",
    "headers",
    "height",
    "hidden",
    "high",
    "href",
    "hreflang",
    "hspace",
    "http-equiv",
    "id",
    "integrity",
    "ismap",
    "itemid",
    "itemprop",
    "itemref",
    "itemscope",
    "itemtype",
    "kind",
    "lang",
    "language",
    "list",
    "loading",
    "loop",
    "low",
    "marginheight",
    "marginwidth",
    "max",
    "maxlength",
    "media",
    "method",
    "min",
    "minlength",
    "multiple",
    "muted",
    "name",
    "nohref",
    "nonce",
    "noresize",
    "noshade",
    "novalidate",
    "nowrap",
    "onblur",
    "onchange",
    "onclick",
    "onerror",
    "onfocus",
    "onkeydown",
    "onkeypress",
    "onkeyup",
    "onload",
    "onmousedown",
    "onmouseout",
    "onmouseover",
    "onmouseup",
    "onsubmit",
    "open",
    "optimum",
    "placeholder",
    "playsinline",
    "poster",
    "prefix",
    "preload",
    "property",
    "readonly",
    "referrerpolicy",
    "rel",
    "required",
    "resource",
    "rev",
    "reversed",
    "role",
    "rows",
    "rowspan",
    "rules",
    "sandbox",
    "scheme",
    "scope",
    "scrolling",
    "selected",
    "shape",
    "shadowrootmode",
    "size",
    "sizes",
    "spellcheck",
    "src",
    "srcdoc",
    "srclang",
    "srcset",
    "standby",
    "start",
    "step",
    "stroke",
    "stroke-width",
    "tabindex",
    "target",
    "topmargin",
    "translate",
    "transform",
    "type",
    "typeof",
    "usemap",
    "valign",
    "value",
    "valuetype",
    "vlink",
    "vocab",
    "vspace",
    "width",
    "wrap",
    "xmlns",
    "xmlns:xlink",
    "xml:lang",
    "xml:space",
    "xlink:href",
    "xlink:title",
    "xlink:show",
    "xlink:type",
    "xlink:actuate",
    "xlink:arcrole",
    "xlink:role",
    "viewbox",
    "viewBox",
    "d",
    "x",
    "y",
    "x1",
    "x2",
    "y1",
    "y2",
    "cx",
    "cy",
    "r",
    "rx",
    "ry",
    "points",
    "version",
    "definitionurl",
    "definitionURL",
];

/// `a`
pub const A: NameId = NameId(0);
/// `abbr`
pub const ABBR: NameId = NameId(1);
/// `acronym`
pub const ACRONYM: NameId = NameId(2);
/// `address`
pub const ADDRESS: NameId = NameId(3);
/// `applet`
pub const APPLET: NameId = NameId(4);
/// `area`
pub const AREA: NameId = NameId(5);
/// `article`
pub const ARTICLE: NameId = NameId(6);
/// `aside`
pub const ASIDE: NameId = NameId(7);
/// `audio`
pub const AUDIO: NameId = NameId(8);
/// `b`
pub const B: NameId = NameId(9);
/// `base`
pub const BASE: NameId = NameId(10);
/// `basefont`
pub const BASEFONT: NameId = NameId(11);
/// `bdi`
pub const BDI: NameId = NameId(12);
/// `bdo`
pub const BDO: NameId = NameId(13);
/// `bgsound`
pub const BGSOUND: NameId = NameId(14);
/// `big`
pub const BIG: NameId = NameId(15);
/// `blink`
pub const BLINK: NameId = NameId(16);
/// `blockquote`
pub const BLOCKQUOTE: NameId = NameId(17);
/// `body`
pub const BODY: NameId = NameId(18);
/// `br`
pub const BR: NameId = NameId(19);
/// `button`
pub const BUTTON: NameId = NameId(20);
/// `canvas`
pub const CANVAS: NameId = NameId(21);
/// `caption`
pub const CAPTION: NameId = NameId(22);
/// `center`
pub const CENTER: NameId = NameId(23);
/// `cite`
pub const CITE: NameId = NameId(24);
/// `code`
pub const CODE: NameId = NameId(25);
/// `col`
pub const COL: NameId = NameId(26);
/// `colgroup`
pub const COLGROUP: NameId = NameId(27);
/// `command`
pub const COMMAND: NameId = NameId(28);
/// `content`
pub const CONTENT: NameId = NameId(29);
/// `data`
pub const DATA: NameId = NameId(30);
/// `datalist`
pub const DATALIST: NameId = NameId(31);
/// `dd`
pub const DD: NameId = NameId(32);
/// `del`
pub const DEL: NameId = NameId(33);
/// `details`
pub const DETAILS: NameId = NameId(34);
/// `dfn`
pub const DFN: NameId = NameId(35);
/// `dialog`
pub const DIALOG: NameId = NameId(36);
/// `dir`
pub const DIR: NameId = NameId(37);
/// `div`
pub const DIV: NameId = NameId(38);
/// `dl`
pub const DL: NameId = NameId(39);
/// `dt`
pub const DT: NameId = NameId(40);
/// `em`
pub const EM: NameId = NameId(41);
/// `embed`
pub const EMBED: NameId = NameId(42);
/// `fieldset`
pub const FIELDSET: NameId = NameId(43);
/// `figcaption`
pub const FIGCAPTION: NameId = NameId(44);
/// `figure`
pub const FIGURE: NameId = NameId(45);
/// `font`
pub const FONT: NameId = NameId(46);
/// `footer`
pub const FOOTER: NameId = NameId(47);
/// `form`
pub const FORM: NameId = NameId(48);
/// `frame`
pub const FRAME: NameId = NameId(49);
/// `frameset`
pub const FRAMESET: NameId = NameId(50);
/// `h1`
pub const H1: NameId = NameId(51);
/// `h2`
pub const H2: NameId = NameId(52);
/// `h3`
pub const H3: NameId = NameId(53);
/// `h4`
pub const H4: NameId = NameId(54);
/// `h5`
pub const H5: NameId = NameId(55);
/// `h6`
pub const H6: NameId = NameId(56);
/// `head`
pub const HEAD: NameId = NameId(57);
/// `header`
pub const HEADER: NameId = NameId(58);
/// `hgroup`
pub const HGROUP: NameId = NameId(59);
/// `hr`
pub const HR: NameId = NameId(60);
/// `html`
pub const HTML: NameId = NameId(61);
/// `i`
pub const I: NameId = NameId(62);
/// `iframe`
pub const IFRAME: NameId = NameId(63);
/// `image`
pub const IMAGE: NameId = NameId(64);
/// `img`
pub const IMG: NameId = NameId(65);
/// `input`
pub const INPUT: NameId = NameId(66);
/// `ins`
pub const INS: NameId = NameId(67);
/// `isindex`
pub const ISINDEX: NameId = NameId(68);
/// `kbd`
pub const KBD: NameId = NameId(69);
/// `keygen`
pub const KEYGEN: NameId = NameId(70);
/// `label`
pub const LABEL: NameId = NameId(71);
/// `legend`
pub const LEGEND: NameId = NameId(72);
/// `li`
pub const LI: NameId = NameId(73);
/// `link`
pub const LINK: NameId = NameId(74);
/// `listing`
pub const LISTING: NameId = NameId(75);
/// `main`
pub const MAIN: NameId = NameId(76);
/// `map`
pub const MAP: NameId = NameId(77);
/// `mark`
pub const MARK: NameId = NameId(78);
/// `marquee`
pub const MARQUEE: NameId = NameId(79);
/// `menu`
pub const MENU: NameId = NameId(80);
/// `menuitem`
pub const MENUITEM: NameId = NameId(81);
/// `meta`
pub const META: NameId = NameId(82);
/// `meter`
pub const METER: NameId = NameId(83);
/// `multicol`
pub const MULTICOL: NameId = NameId(84);
/// `nav`
pub const NAV: NameId = NameId(85);
/// `nextid`
pub const NEXTID: NameId = NameId(86);
/// `nobr`
pub const NOBR: NameId = NameId(87);
/// `noembed`
pub const NOEMBED: NameId = NameId(88);
/// `noframes`
pub const NOFRAMES: NameId = NameId(89);
/// `noscript`
pub const NOSCRIPT: NameId = NameId(90);
/// `object`
pub const OBJECT: NameId = NameId(91);
/// `ol`
pub const OL: NameId = NameId(92);
/// `optgroup`
pub const OPTGROUP: NameId = NameId(93);
/// `option`
pub const OPTION: NameId = NameId(94);
/// `output`
pub const OUTPUT: NameId = NameId(95);
/// `p`
pub const P: NameId = NameId(96);
/// `param`
pub const PARAM: NameId = NameId(97);
/// `picture`
pub const PICTURE: NameId = NameId(98);
/// `plaintext`
pub const PLAINTEXT: NameId = NameId(99);
/// `portal`
pub const PORTAL: NameId = NameId(100);
/// `pre`
pub const PRE: NameId = NameId(101);
/// `progress`
pub const PROGRESS: NameId = NameId(102);
/// `q`
pub const Q: NameId = NameId(103);
/// `rb`
pub const RB: NameId = NameId(104);
/// `rbc`
pub const RBC: NameId = NameId(105);
/// `rp`
pub const RP: NameId = NameId(106);
/// `rt`
pub const RT: NameId = NameId(107);
/// `rtc`
pub const RTC: NameId = NameId(108);
/// `ruby`
pub const RUBY: NameId = NameId(109);
/// `s`
pub const S: NameId = NameId(110);
/// `samp`
pub const SAMP: NameId = NameId(111);
/// `script`
pub const SCRIPT: NameId = NameId(112);
/// `search`
pub const SEARCH: NameId = NameId(113);
/// `section`
pub const SECTION: NameId = NameId(114);
/// `select`
pub const SELECT: NameId = NameId(115);
/// `selectedcontent`
pub const SELECTEDCONTENT: NameId = NameId(116);
/// `shadow`
pub const SHADOW: NameId = NameId(117);
/// `slot`
pub const SLOT: NameId = NameId(118);
/// `small`
pub const SMALL: NameId = NameId(119);
/// `source`
pub const SOURCE: NameId = NameId(120);
/// `spacer`
pub const SPACER: NameId = NameId(121);
/// `span`
pub const SPAN: NameId = NameId(122);
/// `strike`
pub const STRIKE: NameId = NameId(123);
/// `strong`
pub const STRONG: NameId = NameId(124);
/// `style`
pub const STYLE: NameId = NameId(125);
/// `sub`
pub const SUB: NameId = NameId(126);
/// `summary`
pub const SUMMARY: NameId = NameId(127);
/// `sup`
pub const SUP: NameId = NameId(128);
/// `svg`
pub const SVG: NameId = NameId(129);
/// `table`
pub const TABLE: NameId = NameId(130);
/// `tbody`
pub const TBODY: NameId = NameId(131);
/// `td`
pub const TD: NameId = NameId(132);
/// `template`
pub const TEMPLATE: NameId = NameId(133);
/// `textarea`
pub const TEXTAREA: NameId = NameId(134);
/// `tfoot`
pub const TFOOT: NameId = NameId(135);
/// `th`
pub const TH: NameId = NameId(136);
/// `thead`
pub const THEAD: NameId = NameId(137);
/// `time`
pub const TIME: NameId = NameId(138);
/// `title`
pub const TITLE: NameId = NameId(139);
/// `tr`
pub const TR: NameId = NameId(140);
/// `track`
pub const TRACK: NameId = NameId(141);
/// `tt`
pub const TT: NameId = NameId(142);
/// `u`
pub const U: NameId = NameId(143);
/// `ul`
pub const UL: NameId = NameId(144);
/// `var`
pub const VAR: NameId = NameId(145);
/// `video`
pub const VIDEO: NameId = NameId(146);
/// `wbr`
pub const WBR: NameId = NameId(147);
/// `xmp`
pub const XMP: NameId = NameId(148);
/// `math`
pub const MATH: NameId = NameId(149);
/// `mi`
pub const MI: NameId = NameId(150);
/// `mo`
pub const MO: NameId = NameId(151);
/// `mn`
pub const MN: NameId = NameId(152);
/// `ms`
pub const MS: NameId = NameId(153);
/// `mtext`
pub const MTEXT: NameId = NameId(154);
/// `mglyph`
pub const MGLYPH: NameId = NameId(155);
/// `malignmark`
pub const MALIGNMARK: NameId = NameId(156);
/// `annotation-xml`
pub const ANNOTATION_XML: NameId = NameId(157);
/// `annotation`
pub const ANNOTATION: NameId = NameId(158);
/// `mrow`
pub const MROW: NameId = NameId(159);
/// `msup`
pub const MSUP: NameId = NameId(160);
/// `msub`
pub const MSUB: NameId = NameId(161);
/// `mfrac`
pub const MFRAC: NameId = NameId(162);
/// `msqrt`
pub const MSQRT: NameId = NameId(163);
/// `semantics`
pub const SEMANTICS: NameId = NameId(164);
/// `mstyle`
pub const MSTYLE: NameId = NameId(165);
/// `mtable`
pub const MTABLE: NameId = NameId(166);
/// `mtr`
pub const MTR: NameId = NameId(167);
/// `mtd`
pub const MTD: NameId = NameId(168);
/// `g`
pub const G: NameId = NameId(169);
/// `path`
pub const PATH: NameId = NameId(170);
/// `rect`
pub const RECT: NameId = NameId(171);
/// `circle`
pub const CIRCLE: NameId = NameId(172);
/// `ellipse`
pub const ELLIPSE: NameId = NameId(173);
/// `line`
pub const LINE: NameId = NameId(174);
/// `polygon`
pub const POLYGON: NameId = NameId(175);
/// `polyline`
pub const POLYLINE: NameId = NameId(176);
/// `defs`
pub const DEFS: NameId = NameId(177);
/// `use`
pub const USE: NameId = NameId(178);
/// `symbol`
pub const SYMBOL: NameId = NameId(179);
/// `desc`
pub const DESC: NameId = NameId(180);
/// `foreignobject`
pub const FOREIGNOBJECT: NameId = NameId(181);
/// `foreignObject`
pub const FOREIGNOBJECT_CASED: NameId = NameId(182);
/// `text`
pub const TEXT: NameId = NameId(183);
/// `tspan`
pub const TSPAN: NameId = NameId(184);
/// `mask`
pub const MASK: NameId = NameId(185);
/// `filter`
pub const FILTER: NameId = NameId(186);
/// `pattern`
pub const PATTERN: NameId = NameId(187);
/// `stop`
pub const STOP: NameId = NameId(188);
/// `accept`
pub const ACCEPT: NameId = NameId(189);
/// `accept-charset`
pub const ACCEPT_CHARSET: NameId = NameId(190);
/// `accesskey`
pub const ACCESSKEY: NameId = NameId(191);
/// `action`
pub const ACTION: NameId = NameId(192);
/// `align`
pub const ALIGN: NameId = NameId(193);
/// `alink`
pub const ALINK: NameId = NameId(194);
/// `allow`
pub const ALLOW: NameId = NameId(195);
/// `allowfullscreen`
pub const ALLOWFULLSCREEN: NameId = NameId(196);
/// `alt`
pub const ALT: NameId = NameId(197);
/// `aria-atomic`
pub const ARIA_ATOMIC: NameId = NameId(198);
/// `aria-busy`
pub const ARIA_BUSY: NameId = NameId(199);
/// `aria-controls`
pub const ARIA_CONTROLS: NameId = NameId(200);
/// `aria-current`
pub const ARIA_CURRENT: NameId = NameId(201);
/// `aria-describedby`
pub const ARIA_DESCRIBEDBY: NameId = NameId(202);
/// `aria-disabled`
pub const ARIA_DISABLED: NameId = NameId(203);
/// `aria-expanded`
pub const ARIA_EXPANDED: NameId = NameId(204);
/// `aria-haspopup`
pub const ARIA_HASPOPUP: NameId = NameId(205);
/// `aria-hidden`
pub const ARIA_HIDDEN: NameId = NameId(206);
/// `aria-invalid`
pub const ARIA_INVALID: NameId = NameId(207);
/// `aria-label`
pub const ARIA_LABEL: NameId = NameId(208);
/// `aria-labelledby`
pub const ARIA_LABELLEDBY: NameId = NameId(209);
/// `aria-live`
pub const ARIA_LIVE: NameId = NameId(210);
/// `aria-modal`
pub const ARIA_MODAL: NameId = NameId(211);
/// `aria-owns`
pub const ARIA_OWNS: NameId = NameId(212);
/// `aria-pressed`
pub const ARIA_PRESSED: NameId = NameId(213);
/// `aria-selected`
pub const ARIA_SELECTED: NameId = NameId(214);
/// `async`
pub const ASYNC: NameId = NameId(215);
/// `autocapitalize`
pub const AUTOCAPITALIZE: NameId = NameId(216);
/// `autocomplete`
pub const AUTOCOMPLETE: NameId = NameId(217);
/// `autofocus`
pub const AUTOFOCUS: NameId = NameId(218);
/// `autoplay`
pub const AUTOPLAY: NameId = NameId(219);
/// `axis`
pub const AXIS: NameId = NameId(220);
/// `background`
pub const BACKGROUND: NameId = NameId(221);
/// `bgcolor`
pub const BGCOLOR: NameId = NameId(222);
/// `border`
pub const BORDER: NameId = NameId(223);
/// `bordercolor`
pub const BORDERCOLOR: NameId = NameId(224);
/// `cellpadding`
pub const CELLPADDING: NameId = NameId(225);
/// `cellspacing`
pub const CELLSPACING: NameId = NameId(226);
/// `char`
pub const CHAR: NameId = NameId(227);
/// `charset`
pub const CHARSET: NameId = NameId(228);
/// `checked`
pub const CHECKED: NameId = NameId(229);
/// `class`
pub const CLASS: NameId = NameId(230);
/// `classid`
pub const CLASSID: NameId = NameId(231);
/// `clear`
pub const CLEAR: NameId = NameId(232);
/// `codebase`
pub const CODEBASE: NameId = NameId(233);
/// `color`
pub const COLOR: NameId = NameId(234);
/// `cols`
pub const COLS: NameId = NameId(235);
/// `colspan`
pub const COLSPAN: NameId = NameId(236);
/// `compact`
pub const COMPACT: NameId = NameId(237);
/// `contenteditable`
pub const CONTENTEDITABLE: NameId = NameId(238);
/// `controls`
pub const CONTROLS: NameId = NameId(239);
/// `coords`
pub const COORDS: NameId = NameId(240);
/// `crossorigin`
pub const CROSSORIGIN: NameId = NameId(241);
/// `data-action`
pub const DATA_ACTION: NameId = NameId(242);
/// `data-category`
pub const DATA_CATEGORY: NameId = NameId(243);
/// `data-href`
pub const DATA_HREF: NameId = NameId(244);
/// `data-icon`
pub const DATA_ICON: NameId = NameId(245);
/// `data-id`
pub const DATA_ID: NameId = NameId(246);
/// `data-index`
pub const DATA_INDEX: NameId = NameId(247);
/// `data-name`
pub const DATA_NAME: NameId = NameId(248);
/// `data-original`
pub const DATA_ORIGINAL: NameId = NameId(249);
/// `data-src`
pub const DATA_SRC: NameId = NameId(250);
/// `data-srcset`
pub const DATA_SRCSET: NameId = NameId(251);
/// `data-target`
pub const DATA_TARGET: NameId = NameId(252);
/// `data-title`
pub const DATA_TITLE: NameId = NameId(253);
/// `data-toggle`
pub const DATA_TOGGLE: NameId = NameId(254);
/// `data-type`
pub const DATA_TYPE: NameId = NameId(255);
/// `data-url`
pub const DATA_URL: NameId = NameId(256);
/// `data-value`
pub const DATA_VALUE: NameId = NameId(257);
/// `datetime`
pub const DATETIME: NameId = NameId(258);
/// `decoding`
pub const DECODING: NameId = NameId(259);
/// `default`
pub const DEFAULT: NameId = NameId(260);
/// `defer`
pub const DEFER: NameId = NameId(261);
/// `disabled`
pub const DISABLED: NameId = NameId(262);
/// `download`
pub const DOWNLOAD: NameId = NameId(263);
/// `draggable`
pub const DRAGGABLE: NameId = NameId(264);
/// `enctype`
pub const ENCTYPE: NameId = NameId(265);
/// `encoding`
pub const ENCODING: NameId = NameId(266);
/// `equiv`
pub const EQUIV: NameId = NameId(267);
/// `face`
pub const FACE: NameId = NameId(268);
/// `fetchpriority`
pub const FETCHPRIORITY: NameId = NameId(269);
/// `fill`
pub const FILL: NameId = NameId(270);
/// `for`
pub const FOR: NameId = NameId(271);
/// `formaction`
pub const FORMACTION: NameId = NameId(272);
/// `frameborder`
pub const FRAMEBORDER: NameId = NameId(273);
/// `headers`
pub const HEADERS: NameId = NameId(274);
/// `height`
pub const HEIGHT: NameId = NameId(275);
/// `hidden`
pub const HIDDEN: NameId = NameId(276);
/// `high`
pub const HIGH: NameId = NameId(277);
/// `href`
pub const HREF: NameId = NameId(278);
/// `hreflang`
pub const HREFLANG: NameId = NameId(279);
/// `hspace`
pub const HSPACE: NameId = NameId(280);
/// `http-equiv`
pub const HTTP_EQUIV: NameId = NameId(281);
/// `id`
pub const ID: NameId = NameId(282);
/// `integrity`
pub const INTEGRITY: NameId = NameId(283);
/// `ismap`
pub const ISMAP: NameId = NameId(284);
/// `itemid`
pub const ITEMID: NameId = NameId(285);
/// `itemprop`
pub const ITEMPROP: NameId = NameId(286);
/// `itemref`
pub const ITEMREF: NameId = NameId(287);
/// `itemscope`
pub const ITEMSCOPE: NameId = NameId(288);
/// `itemtype`
pub const ITEMTYPE: NameId = NameId(289);
/// `kind`
pub const KIND: NameId = NameId(290);
/// `lang`
pub const LANG: NameId = NameId(291);
/// `language`
pub const LANGUAGE: NameId = NameId(292);
/// `list`
pub const LIST: NameId = NameId(293);
/// `loading`
pub const LOADING: NameId = NameId(294);
/// `loop`
pub const LOOP: NameId = NameId(295);
/// `low`
pub const LOW: NameId = NameId(296);
/// `marginheight`
pub const MARGINHEIGHT: NameId = NameId(297);
/// `marginwidth`
pub const MARGINWIDTH: NameId = NameId(298);
/// `max`
pub const MAX: NameId = NameId(299);
/// `maxlength`
pub const MAXLENGTH: NameId = NameId(300);
/// `media`
pub const MEDIA: NameId = NameId(301);
/// `method`
pub const METHOD: NameId = NameId(302);
/// `min`
pub const MIN: NameId = NameId(303);
/// `minlength`
pub const MINLENGTH: NameId = NameId(304);
/// `multiple`
pub const MULTIPLE: NameId = NameId(305);
/// `muted`
pub const MUTED: NameId = NameId(306);
/// `name`
pub const NAME: NameId = NameId(307);
/// `nohref`
pub const NOHREF: NameId = NameId(308);
/// `nonce`
pub const NONCE: NameId = NameId(309);
/// `noresize`
pub const NORESIZE: NameId = NameId(310);
/// `noshade`
pub const NOSHADE: NameId = NameId(311);
/// `novalidate`
pub const NOVALIDATE: NameId = NameId(312);
/// `nowrap`
pub const NOWRAP: NameId = NameId(313);
/// `onblur`
pub const ONBLUR: NameId = NameId(314);
/// `onchange`
pub const ONCHANGE: NameId = NameId(315);
/// `onclick`
pub const ONCLICK: NameId = NameId(316);
/// `onerror`
pub const ONERROR: NameId = NameId(317);
/// `onfocus`
pub const ONFOCUS: NameId = NameId(318);
/// `onkeydown`
pub const ONKEYDOWN: NameId = NameId(319);
/// `onkeypress`
pub const ONKEYPRESS: NameId = NameId(320);
/// `onkeyup`
pub const ONKEYUP: NameId = NameId(321);
/// `onload`
pub const ONLOAD: NameId = NameId(322);
/// `onmousedown`
pub const ONMOUSEDOWN: NameId = NameId(323);
/// `onmouseout`
pub const ONMOUSEOUT: NameId = NameId(324);
/// `onmouseover`
pub const ONMOUSEOVER: NameId = NameId(325);
/// `onmouseup`
pub const ONMOUSEUP: NameId = NameId(326);
/// `onsubmit`
pub const ONSUBMIT: NameId = NameId(327);
/// `open`
pub const OPEN: NameId = NameId(328);
/// `optimum`
pub const OPTIMUM: NameId = NameId(329);
/// `placeholder`
pub const PLACEHOLDER: NameId = NameId(330);
/// `playsinline`
pub const PLAYSINLINE: NameId = NameId(331);
/// `poster`
pub const POSTER: NameId = NameId(332);
/// `prefix`
pub const PREFIX: NameId = NameId(333);
/// `preload`
pub const PRELOAD: NameId = NameId(334);
/// `property`
pub const PROPERTY: NameId = NameId(335);
/// `readonly`
pub const READONLY: NameId = NameId(336);
/// `referrerpolicy`
pub const REFERRERPOLICY: NameId = NameId(337);
/// `rel`
pub const REL: NameId = NameId(338);
/// `required`
pub const REQUIRED: NameId = NameId(339);
/// `resource`
pub const RESOURCE: NameId = NameId(340);
/// `rev`
pub const REV: NameId = NameId(341);
/// `reversed`
pub const REVERSED: NameId = NameId(342);
/// `role`
pub const ROLE: NameId = NameId(343);
/// `rows`
pub const ROWS: NameId = NameId(344);
/// `rowspan`
pub const ROWSPAN: NameId = NameId(345);
/// `rules`
pub const RULES: NameId = NameId(346);
/// `sandbox`
pub const SANDBOX: NameId = NameId(347);
/// `scheme`
pub const SCHEME: NameId = NameId(348);
/// `scope`
pub const SCOPE: NameId = NameId(349);
/// `scrolling`
pub const SCROLLING: NameId = NameId(350);
/// `selected`
pub const SELECTED: NameId = NameId(351);
/// `shape`
pub const SHAPE: NameId = NameId(352);
/// `shadowrootmode`
pub const SHADOWROOTMODE: NameId = NameId(353);
/// `size`
pub const SIZE: NameId = NameId(354);
/// `sizes`
pub const SIZES: NameId = NameId(355);
/// `spellcheck`
pub const SPELLCHECK: NameId = NameId(356);
/// `src`
pub const SRC: NameId = NameId(357);
/// `srcdoc`
pub const SRCDOC: NameId = NameId(358);
/// `srclang`
pub const SRCLANG: NameId = NameId(359);
/// `srcset`
pub const SRCSET: NameId = NameId(360);
/// `standby`
pub const STANDBY: NameId = NameId(361);
/// `start`
pub const START: NameId = NameId(362);
/// `step`
pub const STEP: NameId = NameId(363);
/// `stroke`
pub const STROKE: NameId = NameId(364);
/// `stroke-width`
pub const STROKE_WIDTH: NameId = NameId(365);
/// `tabindex`
pub const TABINDEX: NameId = NameId(366);
/// `target`
pub const TARGET: NameId = NameId(367);
/// `topmargin`
pub const TOPMARGIN: NameId = NameId(368);
/// `translate`
pub const TRANSLATE: NameId = NameId(369);
/// `transform`
pub const TRANSFORM: NameId = NameId(370);
/// `type`
pub const TYPE: NameId = NameId(371);
/// `typeof`
pub const TYPEOF: NameId = NameId(372);
/// `usemap`
pub const USEMAP: NameId = NameId(373);
/// `valign`
pub const VALIGN: NameId = NameId(374);
/// `value`
pub const VALUE: NameId = NameId(375);
/// `valuetype`
pub const VALUETYPE: NameId = NameId(376);
/// `vlink`
pub const VLINK: NameId = NameId(377);
/// `vocab`
pub const VOCAB: NameId = NameId(378);
/// `vspace`
pub const VSPACE: NameId = NameId(379);
/// `width`
pub const WIDTH: NameId = NameId(380);
/// `wrap`
pub const WRAP: NameId = NameId(381);
/// `xmlns`
pub const XMLNS: NameId = NameId(382);
/// `xmlns:xlink`
pub const XMLNS_XLINK: NameId = NameId(383);
/// `xml:lang`
pub const XML_LANG: NameId = NameId(384);
/// `xml:space`
pub const XML_SPACE: NameId = NameId(385);
/// `xlink:href`
pub const XLINK_HREF: NameId = NameId(386);
/// `xlink:title`
pub const XLINK_TITLE: NameId = NameId(387);
/// `xlink:show`
pub const XLINK_SHOW: NameId = NameId(388);
/// `xlink:type`
pub const XLINK_TYPE: NameId = NameId(389);
/// `xlink:actuate`
pub const XLINK_ACTUATE: NameId = NameId(390);
/// `xlink:arcrole`
pub const XLINK_ARCROLE: NameId = NameId(391);
/// `xlink:role`
pub const XLINK_ROLE: NameId = NameId(392);
/// `viewbox`
pub const VIEWBOX: NameId = NameId(393);
/// `viewBox`
pub const VIEWBOX_CASED: NameId = NameId(394);
/// `d`
pub const D: NameId = NameId(395);
/// `x`
pub const X: NameId = NameId(396);
/// `y`
pub const Y: NameId = NameId(397);
/// `x1`
pub const X1: NameId = NameId(398);
/// `x2`
pub const X2: NameId = NameId(399);
/// `y1`
pub const Y1: NameId = NameId(400);
/// `y2`
pub const Y2: NameId = NameId(401);
/// `cx`
pub const CX: NameId = NameId(402);
/// `cy`
pub const CY: NameId = NameId(403);
/// `r`
pub const R: NameId = NameId(404);
/// `rx`
pub const RX: NameId = NameId(405);
/// `ry`
pub const RY: NameId = NameId(406);
/// `points`
pub const POINTS: NameId = NameId(407);
/// `version`
pub const VERSION: NameId = NameId(408);
/// `definitionurl`
pub const DEFINITIONURL: NameId = NameId(409);
/// `definitionURL`
pub const DEFINITIONURL_CASED: NameId = NameId(410);
