"""Writes the demo pages of the studio: run it after a change of the data below; the pages are checked in."""

import html
from pathlib import Path

HERE = Path(__file__).parent
TOOLS = [
    ("Border spade, ash handle", "spade", "€ 38.50", "4.7", "121", "In stock", "Forged in one piece; cuts turf and roots."),
    ("Two-wheel hay rake", "rake", "€ 340.00", "4.2", "17", "Ships in 3 days", "Folds for the road."),
    ("Copper watering can, 9 l", "can", "€ 64.00", "4.9", "88", "In stock", "Brass rose, turned edges."),
    ("Hand fork", "fork", "€ 19.90", "4.4", "203", "In stock", "Three tines, fits a small hand."),
    ("Scythe with snath, 75 cm", "scythe", "€ 129.00", None, None, "Ships in 3 days", "Peened and ready to mow."),
    ("Seed drill, one row", "drill", "€ 212.00", "3.9", "9", "Sold out", "Six discs, from carrot to bean."),
    ("Pruning saw", "saw", "€ 27.40", "4.6", "311", "In stock", "Cuts on the pull."),
    ("Wheelbarrow, 85 l", "barrow", "€ 96.00", "4.1", "54", "In stock", "Galvanised tray, air tyre."),
    ("Dibber", "dibber", "€ 14.50", "4.8", "40", "In stock", "Beech, marked in inches and centimetres."),
    ("Compost thermometer", "thermo", "€ 23.00", None, None, "In stock", "Half a metre of probe."),
]
COLOURS = ["#7a9e5a", "#c98d3c", "#b5673c", "#5f8f8f", "#8d7bb0", "#a35d6a", "#5d7fa3", "#93864a", "#6f9a73", "#b08562"]
ADS = {3: ("Sow now, save 20 %", "€ 9.90 a month for the Seed Club"), 7: ("Your lawn, insured", "from € 2.10 a week")}


def picture(name: str, colour: str, number: int) -> None:
    """A tile with a simple tool on it."""
    turn = -35 + number * 9
    (HERE / "img" / f"{name}.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 120"><rect width="160" height="120" fill="{colour}" '
        f'fill-opacity=".22"/><g transform="rotate({turn} 80 60)"><rect x="76" y="12" width="8" height="72" rx="4" '
        f'fill="#8a6a48"/><path d="M62 80h36l-6 26q-12 8-24 0z" fill="{colour}"/></g></svg>\n'
    )


def shop_old() -> str:
    items = []
    for number, (title, image, price, stars, count, stock, text) in enumerate(TOOLS):
        if number in ADS:
            head, body = ADS[number]
            items.append(
                f'<li class="card promo"><a href="/club"><h3>{head}</h3></a><p class="text">Advertisement. {body}</p></li>'
            )
        rating = f'<p class="rating"><b>{stars}</b> of 5 <span>({count} reviews)</span></p>' if stars else ""
        items.append(
            f'<li class="card"><img src="img/{image}.svg" alt="{html.escape(title)}">\n'
            f'<h3 class="name"><a href="/tool/{image}">{html.escape(title)}</a></h3>\n{rating}'
            f'<p class="text">{text}</p>\n<p class="buy"><span class="price">{price}</span> <em>{stock}</em></p></li>'
        )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Barrow &amp; Spade: garden tools</title>
<link rel="stylesheet" href="shop.css">
</head>
<body>
<header><a class="logo" href="/">Barrow &amp; Spade</a><nav><a href="/tools">Tools</a><a href="/seeds">Seeds</a><a href="/help">Help</a></nav></header>
<h1>Garden tools</h1>
<p class="lead">{len(TOOLS)} tools, made to be mended.</p>
<ul class="grid">
{chr(10).join(items)}
</ul>
<footer>Barrow &amp; Spade, 4 Orchard Lane · <a href="/terms">Terms</a></footer>
</body>
</html>
"""


def shop_new() -> str:
    rows = []
    for title, image, price, stars, count, stock, text in TOOLS[:4] + TOOLS[5:]:
        rating = f'<div class="stars" title="{count} reviews">★ <i>{stars}</i></div>' if stars else '<div class="stars"></div>'
        rows.append(
            f'<article data-sku="{image}"><a class="pic" href="/shop/{image}"><img src="img/{image}.svg" alt=""></a>\n'
            f'<div class="what"><a class="headline" href="/shop/{image}">{html.escape(title)}</a><p>{text}</p>{rating}</div>\n'
            f'<div class="offer"><strong>{price}</strong><small>{stock}</small></div></article>'
        )
    rows.insert(
        2,
        '<article data-sku="hoe"><a class="pic" href="/shop/hoe"><img src="img/fork.svg" alt=""></a>\n'
        '<div class="what"><a class="headline" href="/shop/hoe">Dutch hoe</a><p>New this spring.</p><div class="stars">'
        '</div></div>\n<div class="offer"><strong>€ 31.00</strong><small>In stock</small></div></article>',
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Barrow &amp; Spade: tools, new shop</title>
<link rel="stylesheet" href="shop-new.css">
</head>
<body>
<div class="top"><span>Barrow &amp; Spade</span></div>
<main>
<h2>All tools</h2>
{chr(10).join(rows)}
</main>
</body>
</html>
"""


TEAMS = [
    ("Northfield Mowers", "Northfield", 31, [("Ada Berg", "Keeper", 0), ("Jon Holt", "Back", 2), ("Mira Sand", "Wing", 11), ("Tove Lie", "Centre", 7)]),
    ("Haystack United", "Lower Barn", 27, [("Sam Reed", "Keeper", 0), ("Ola Vik", "Wing", 9), ("Kim Stone", "Back", 1)]),
    ("River Rovers", "Millbank", 24, [("Eli Marsh", "Centre", 6), ("Uma Dale", "Keeper", 0), ("Per Aas", "Back", 0), ("Nina Holm", "Wing", 8), ("Leo Field", "Wing", 3)]),
    ("Orchard Athletic", "Applegate", 19, [("Ivy Thorn", "Back", 2), ("Max Lund", "Keeper", 0)]),
    ("Stubble Rangers", "Westacre", 12, [("Ned Moor", "Centre", 4), ("Zoe Strand", "Wing", 5), ("Hal Birk", "Keeper", 0)]),
]


def teams() -> str:
    blocks = []
    for name, town, points, players in TEAMS:
        rows = "\n".join(
            f'<tr><td class="player">{player}</td><td>{role}</td><td class="goals">{goals}</td></tr>'
            for player, role, goals in players
        )
        blocks.append(
            f'<section class="team"><h2>{name}</h2><p class="about"><span class="town">{town}</span>'
            f' <span class="points">{points} points</span></p>\n<table>{rows}</table></section>'
        )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Harvest League: teams and players</title>
<link rel="stylesheet" href="teams.css">
</head>
<body>
<h1>Harvest League</h1>
<p>Teams, with their players and the goals of this season.</p>
{chr(10).join(blocks)}
</body>
</html>
"""


for at, (tool, colour) in enumerate(zip(TOOLS, COLOURS, strict=True)):
    picture(tool[1], colour, at)
(HERE / "shop.html").write_text(shop_old())
(HERE / "shop-new.html").write_text(shop_new())
(HERE / "teams.html").write_text(teams())
