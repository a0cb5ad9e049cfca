"""Makes places.mmdb: invented places for addresses that are kept for documentation. Needs `pip install mmdb_writer`."""

from netaddr import IPSet
from mmdb_writer import MMDBWriter

PLACES = {
    "192.0.2.0/24": ("Rickyard", "Haymark", "XH"),
    "198.51.100.0/24": ("Sankt Veit", "Veitland", "XV"),
    "203.0.113.0/24": (None, "Weirland", "XW"),
    "127.0.0.0/8": ("This machine", "Home", "XX"),
}

writer = MMDBWriter(ip_version=4, database_type="Test-City", languages=["en"], description="Invented places")
for network, (city, country, code) in PLACES.items():
    place = {"country": {"iso_code": code, "names": {"en": country}}}
    if city:
        place["city"] = {"names": {"en": city}}
    writer.insert_network(IPSet([network]), place)
writer.to_db_file("places.mmdb")
