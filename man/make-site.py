#!/usr/bin/env python3
"""make-site.py BTSCRIBE FOLDER: the manual as a static site: all pages by mandoc, the gallery of profiles, reports of samples, a search that
needs no server. It loads nothing from elsewhere. Every link inside is followed before this ends: a broken one is an error."""
import html
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

here = pathlib.Path(__file__).resolve().parent
root = here.parent
btscribe, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()

STYLE = """
:root { color-scheme: light dark; --dim: color-mix(in srgb, currentColor 62%, transparent); --line: color-mix(in srgb, currentColor 18%, transparent) }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 0 auto; padding: 0 1rem 4rem; overflow-wrap: break-word }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1rem; padding: .8rem 0; border-bottom: 1px solid var(--line) }
pre, code, .Li, .Fl, .Cm, .Nm, .Ic { font-family: ui-monospace, monospace; font-size: .9em }
pre { overflow-x: auto; padding: .7rem; border: 1px solid var(--line); border-radius: .4rem; line-height: 1.35 }
h1 { font-size: 1.3rem; margin-top: 2rem } h2 { font-size: 1.1rem }
dd { margin-left: 1.5rem } table { border-spacing: .6rem .1rem; display: block; overflow-x: auto }
.head, .foot { width: 100%; color: var(--dim); font-size: .85rem } .Bd-indent { margin-left: 0 }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .7rem; padding: 0; list-style: none }
.cards li { border: 1px solid var(--line); border-radius: .4rem; padding: .6rem } .dim { color: var(--dim); font-size: .85rem }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .5rem } a.permalink { color: inherit; text-decoration: none }
"""
SEARCH = """
const box = document.querySelector('input'), list = document.querySelector('#found');
box.addEventListener('input', () => {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  list.replaceChildren();
  if (!words.length) return;
  const hits = pages.map(page => [words.every(word => page.all.includes(word)) ? words.filter(word => page.title.toLowerCase().includes(word)).length + 1 : 0, page])
    .filter(hit => hit[0]).sort((a, b) => b[0] - a[0]).slice(0, 40);
  for (const [, page] of hits) {
    const item = document.createElement('li'), link = document.createElement('a'), text = document.createElement('div');
    link.href = page.url; link.textContent = page.title; text.className = 'dim';
    const at = Math.max(0, page.text.toLowerCase().indexOf(words[0]) - 60);
    text.textContent = page.text.slice(at, at + 160);
    item.append(link, text); list.append(item);
  }
});
box.value = new URLSearchParams(location.search).get('q') ?? '';
box.dispatchEvent(new Event('input'));
"""
index = []


def run(*arguments, status=(0,)):
    done = subprocess.run(arguments, capture_output=True, text=True, cwd=root)
    if done.returncode not in status:
        sys.exit(f"make-site: {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def words(markup):
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", markup)).split())


def page(name, title, body, script=""):
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'self'"
    (out / name).write_text(f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}"><title>{html.escape(title)} · btscribe</title><style>{STYLE}</style></head>
<body><nav><a href="index.html">btscribe</a><a href="btscribe-tutorial.7.html">Tutorial</a><a href="btscribe.1.html">Commands</a>
<a href="btscribe-filter.5.html">Filters</a><a href="profiles.html">Profiles</a><a href="reports.html">Reports</a></nav>
{body}
{script}</body></html>
""")


def manual():
    """The pages, each section of which can be found."""
    listed = []
    for source in sorted(here.glob("btscribe*.[157]"), key=lambda path: (path.suffix, path.name)):
        name = source.name + ".html"
        body = run("mandoc", "-T", "html", "-O", "fragment,man=%N.%S.html", source)
        # Pages of other programs stand elsewhere.
        body = re.sub(
            r'<a class="Xr" href="([^"]*)">(.*?)</a>', lambda link: link[0] if (here / link[1][:-5]).exists() else f"<b>{link[2]}</b>", body)
        about = re.search(r'<span class="Nd">(.*?)</span>|<div class="Nd"[^>]*>(.*?)</div>', body, re.S)
        about = words(about[0]) if about else ""
        page(name, source.name, f"<main>{body}</main>")
        listed.append(f'<li><a href="{name}">{source.stem}({source.suffix[1:]})</a><div class="dim">{html.escape(about)}</div></li>')
        for part in re.split(r'(?=<section class="S[hs]")', body)[1:]:
            heading = re.search(r'<h[12] class="S[hs]" id="([^"]*)">(.*?)</h[12]>', part, re.S)
            if heading:
                index.append((f"{source.stem}: {words(heading[2])}", f"{name}#{heading[1]}", words(part[heading.end():])))
    return listed


def gallery():
    """A card for each profile, its text, and the specification that it makes: messages, fields, tests."""
    kinds = {}
    for profile in json.loads(run(btscribe, "profiles", "list", "--format", "json")):
        name, title = profile["profile"], profile["title"]
        text = run(btscribe, "profiles", "show", name)
        run(btscribe, "profiles", "show", name, "--format", "html", "-o", out / f"specification-{name}.html")
        about = f'{html.escape(profile.get("status", ""))} · <a href="specification-{name}.html">its messages and fields as a specification</a>'
        page(f"profile-{name}.html", title, f"<h1>{html.escape(title)}</h1><p class=dim>{about}</p><pre>{html.escape(text)}</pre>")
        index.append((f"profile {name}: {title}", f"profile-{name}.html", text))
        kinds.setdefault(profile.get("kind", "other"), []).append(
            f'<li><a href="profile-{name}.html">{html.escape(title)}</a><div class=dim>{html.escape(name)} · {html.escape(profile.get("status", ""))}</div></li>')
    body = "".join(f'<h2 id="{kind}">{html.escape(kind)}</h2><ul class=cards>{"".join(cards)}</ul>' for kind, cards in sorted(kinds.items()))
    count = sum(map(len, kinds.values()))
    page("profiles.html", "Profiles", f"<h1>{count} protocols</h1><p>What each says of a device's bytes; btscribe-profile(5) tells how to write one.</p>{body}")
    return count


def reports():
    cards = []
    for sample in ("gopro.btsnoop", "heart-rate.btsnoop", "typed-object.pcapng", "two-cameras.btsnoop"):
        name = f"report-{sample.split('.')[0]}.html"
        run(btscribe, "report", f"Samples/{sample}", "-o", out / name)
        cards.append(f'<li><a href="{name}">{sample}</a></li>')
    page("reports.html", "Reports", f"<h1>Reports of the samples</h1><p>Made by <code>btscribe report</code>.</p><ul class=cards>{''.join(cards)}</ul>")


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.ids, self.loads = [], set(), []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if attributes.get("id"):
            self.ids.add(attributes["id"])
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        for key in ("src", "data") + (("href",) if tag == "link" else ()):
            if attributes.get(key) and tag != "a":
                self.loads.append(attributes[key])


def check():
    """Every link inside leads to a page, and to a place in it; nothing is loaded from elsewhere."""
    seen = {}
    for path in out.glob("*.html"):
        seen[path.name] = Links()
        seen[path.name].feed(path.read_text())
    bad = []
    for name, one in seen.items():
        for link in one.links:
            where = urllib.parse.urlsplit(link)
            if where.scheme or link == "#":
                continue
            # Reports make their own places when they are read.
            target = urllib.parse.unquote(where.path) or name
            if target not in seen or (where.fragment and not name.startswith("report-") and urllib.parse.unquote(where.fragment) not in seen[target].ids):
                bad.append(f"{name}: {link}")
        bad += [f"{name} loads {what}" for what in one.loads if urllib.parse.urlsplit(what).scheme not in ("", "data") or what.startswith("//")]
    if bad:
        sys.exit("make-site: " + "\n".join(bad))
    return len(seen), sum(len(one.links) for one in seen.values())


def main():
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    listed = manual()
    count = gallery()
    reports()
    readme = (root / "README.md").read_text().split("\n\n")[1]
    intro = re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(readme))
    pages = [{"title": title, "url": url, "text": text, "all": (title + " " + text).lower()} for title, url, text in index]
    (out / "search.js").write_text("const pages = " + json.dumps(pages, ensure_ascii=False) + ";" + SEARCH)
    page("index.html", "Manual", f"""<h1>btscribe</h1><p>{intro}</p>
<p><input type="search" placeholder="Search the manual and {count} profiles" aria-label="Search"></p><ul id="found"></ul>
<ul class="cards">{"".join(listed)}</ul>""", '<script src="search.js"></script>')
    print("%d pages, %d links" % check())


main()
