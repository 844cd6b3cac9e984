#!/usr/bin/env python3
"""site.py FOLDER [PICTURES]: opens each page of the manual's site in a headless Chromium at the size of a phone and of a laptop, follows every link
in the rendered page, and searches as a reader would. Prints one line for each check."""
import pathlib
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from chromium import Chromium  # noqa: E402
from report import check, failures  # noqa: E402

SIZES = {"phone": (390, 844, 2, True), "laptop": (1280, 800, 1, False)}
# The site's reports are tested by report.py.
READY = "document.readyState === 'complete' && document.title"


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    page = Chromium()
    try:
        pages = sorted(path for path in folder.glob("*.html") if not path.name.startswith(("report-", "specification-")))
        check("there are pages", len(pages) > 100, len(pages))
        # All specifications are generated in the same way: every tenth is opened.
        pages += sorted(folder.glob("specification-*.html"))[::10]
        places, links, wide, loud = {}, {}, [], []
        for size, (width, height, scale, is_phone) in SIZES.items():
            page.size(width, height, scale, is_phone)
            for path in pages:
                page.open(path, READY)
                seen = page.run("""({wide: document.documentElement.scrollWidth, ids: [...document.querySelectorAll('[id]')].map(one => one.id),
                  links: [...document.querySelectorAll('a[href]')].map(one => one.href), small: [...document.querySelectorAll('main, p, dd')]
                    .filter(one => one.textContent.trim() && parseFloat(getComputedStyle(one).fontSize) < 13).length})""")
                if seen["wide"] > width or seen["small"]:
                    wide.append((size, path.name, seen["wide"], seen["small"]))
                places[path.name], links[path.name] = set(seen["ids"]), seen["links"]
                loud += [(path.name, url) for url in page.requests if not url.startswith(("file://", "data:"))] + page.errors
                if pictures and path.name in ("index.html", "btscribe-tutorial.7.html", "profiles.html", "profile-gopro.html", pages[-1].name):
                    page.shot(pictures / f"{path.stem}-{size}.png")
        check("all fit, and are large enough to read", not wide, wide[:5])
        check("nothing is asked of the network, nothing complains", not loud, loud[:5])
        broken = []
        for name, all in links.items():
            for link in all:
                url = urllib.parse.urlsplit(link)
                target = pathlib.Path(urllib.parse.unquote(url.path))
                place = urllib.parse.unquote(url.fragment)
                if url.scheme == "file" and (not target.exists() or place and target.name in places and place not in places[target.name]):
                    broken.append((name, link))
        check(f"{sum(map(len, links.values()))} links lead somewhere", not broken, broken[:5])
        for question, wanted in {"battery jk": "profile-jk-bms.html", "android snoop log": "btscribe-tutorial.7.html", "capture filter": "btscribe.1.html"}.items():
            page.open(f"{folder}/index.html", READY)
            page.run(f"(() => {{ const box = document.querySelector('input'); box.value = {question!r}; box.dispatchEvent(new Event('input')); }})()")
            found = page.run("[...document.querySelectorAll('#found a')].map(one => one.href)")
            check(f"a search for {question} finds {wanted}", any(f"/{wanted}" in link for link in found), found[:5])
        if pictures:
            page.shot(pictures / "search.png")
        page.run("(() => { const box = document.querySelector('input'); box.value = 'qqqqzzzz'; box.dispatchEvent(new Event('input')); })()")
        check("a search without a hit is empty", page.run("document.querySelectorAll('#found a').length") == 0)
    finally:
        page.close()
    if failures:
        raise SystemExit(f"{len(failures)} failed")


main()
