#!/usr/bin/env python3
"""report.py BTSCRIBE [FOLDER]: opens HTML reports of the samples in a headless Chromium and uses them as a reader would.

Prints one line for each check. With FOLDER, writes screenshots there at the size of a phone, a laptop and a sheet of paper.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from chromium import Chromium  # noqa: E402

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "Samples"
failures = []


def check(what, truth, detail=""):
    print(("ok      " if truth else "FAILED  ") + what + ("" if truth else "  " + str(detail)), flush=True)
    if not truth:
        failures.append(what)


def report(program, sample, folder, *options):
    path = os.path.join(folder, sample.split(".")[0] + ".html")
    subprocess.run([program, "report", str(SAMPLES / sample), "-o", path, *options], check=True)
    return path


def quiet(page, what):
    """Checks that the page requested only itself, and reported no error."""
    others = [url for url in page.requests if not url.startswith(("file://", "data:"))]
    check(what + ": nothing is asked of the network", not others and len([u for u in page.requests if u.startswith("file:")]) == 1, page.requests)
    check(what + ": no script error", not page.errors, page.errors)


def camera(page, path):
    page.size(1280, 900)
    page.open(path)
    check("the overview names the camera", page.run("document.querySelector('h1').textContent") == "GoPro 4821")
    entries = page.run("+document.querySelector('#list .row').getAttribute('aria-setsize')")
    check("everything is listed", entries > 60, entries)

    # Search.
    page.click("#search")
    page.type("get hardware info")
    page.until("document.querySelector('#list .row')?.getAttribute('aria-setsize') === '2'")
    check("search by text", True)
    page.run("document.querySelector('#search').value = ''")
    page.click("#search")
    page.type("3c 00 04")
    page.until("document.querySelector('#list .row')?.getAttribute('aria-setsize') === '1'")
    check("search by bytes", "get hardware info" in page.run("document.querySelector('#list .row').textContent"))

    # Open a message by keyboard, then highlight bytes by pointer and by keyboard.
    page.click("#list .row")
    page.until("document.querySelector('#detail tr[data-r]')")
    check("a message opens into its fields", page.run("document.querySelectorAll('#detail tr[data-r]').length") > 8)
    check("its bytes stand beside them", page.run("document.querySelectorAll('#detail b[data-i]').length") == 91)
    check("its packets stand with their headers", page.run("document.querySelectorAll('#detail .packets li').length") == 5
          and page.run("document.querySelector('#detail .packets b').textContent") == "20 5b")
    row = page.run("[...document.querySelectorAll('#detail tr[data-r]')].findIndex((one) => one.textContent.includes('HERO12 Black'))")
    page.point("#detail tbody tr:nth-child(%d)" % (row + 1))
    lit = page.run("[...document.querySelectorAll('#detail b.lit')].map((one) => String.fromCharCode(parseInt(one.textContent, 16))).join('')")
    check("pointing at a field lights its bytes", lit.endswith("HERO12 Black"), lit)
    page.point("#detail b[data-i='0']")
    lit = page.run("[...document.querySelectorAll('#detail tr.lit')].map((one) => one.textContent).join('|')")
    check("pointing at a byte lights its field", "get_hardware_info" in lit, lit)
    page.run("document.querySelector('#detail tr[data-r]').focus()")
    page.key("ArrowDown")
    check("the keyboard goes from field to field", page.run("[...document.querySelectorAll('#detail b.lit')].map((one) => one.dataset.i).join()") == "1")
    page.run("document.querySelector('#detail b[data-i]').focus()")
    page.key("ArrowRight")
    check("and from byte to byte", "status" in page.run("[...document.querySelectorAll('#detail tr.lit')].map((one) => one.textContent).join('|')"))

    # The message's request and response; links to frames.
    page.click("#detail a[href='#f243']")
    page.until("document.querySelector('#detail').textContent.includes('answered by')")
    check("an answer leads to its request", page.run("location.hash") == "#f243")

    # Filters.
    page.run("(() => { const e = document.querySelector('#show'); e.value = 'trouble'; e.dispatchEvent(new Event('change')); })()")
    trouble = page.run("[...document.querySelectorAll('#list .row')].map((one) => one.textContent).join('|')")
    check("what went wrong alone", "insufficient authentication" in trouble and "get hardware" not in trouble, trouble)
    page.run("(() => { const e = document.querySelector('#show'); e.value = 'operations'; e.dispatchEvent(new Event('change')); })()")
    check("operations alone", "discover" in page.run("document.querySelector('#list').textContent"))
    page.run("(() => { const e = document.querySelector('#show'); e.value = 'all'; e.dispatchEvent(new Event('change')); })()")

    # Lanes: wheel, keys, drag, and the list that follows them.
    x, y, width, height = page.box("#lanes canvas")
    said = "document.querySelector('#lanes-say').textContent"
    check("the lanes show the whole session", page.run("document.querySelectorAll('.lanes li').length") >= 9)
    page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-300, modifiers=2)
    page.until(said + " !== ''")
    first = page.run(said)
    check("the wheel zooms", " to " in first, first)
    page.run("document.querySelector('#lanes canvas').focus()")
    page.key("+")
    second = page.run(said)
    page.key("ArrowRight")
    third = page.run(said)
    check("keys zoom and move", len({first, second, third}) == 3, (first, second, third))
    page.key("0")
    check("and show all again", page.run(said) == "")
    left = x - width / 2
    page.mouse("mousePressed", left + width * .3, y, button="left", buttons=1, clickCount=1)
    page.mouse("mouseMoved", left + width * .4, y, button="left", buttons=1)
    page.mouse("mouseMoved", left + width * .5, y, button="left", buttons=1)
    page.mouse("mouseReleased", left + width * .5, y, button="left", clickCount=1)
    page.until(said + ".includes(' to ')")
    start, end = page.run("(() => { const s = %s.split(' '); return [+s[0], +s[2]]; })()" % said)
    check("dragging zooms into a span", abs(start - 4.42) < .3 and abs(end - 7.37) < .3, (start, end))
    page.click("#inspan")
    times = page.run("[...document.querySelectorAll('#list .row .t')].map((one) => +one.textContent)")
    check("the list can follow the chart", times and min(times) >= start and max(times) <= end, (start, end, times[:3]))
    page.click("#inspan")
    page.click("[data-zoom=all]")

    # Charts, inventory.
    check("there are charts", page.run("document.querySelectorAll('#figures svg path, #figures svg rect').length") > 5)
    page.run("document.querySelector('a[href^=\"#k\"]').click()")
    page.until("document.querySelector('.kind[open]')")
    check("a kind of message opens from what answers what", page.run("location.hash").startswith("#k"))
    page.point(".kind[open] .example tr[data-r]")
    check("its fields light its bytes too", page.run("document.querySelectorAll('.kind[open] .example b.lit').length") > 0)

    # Light and dark.
    paper = "getComputedStyle(document.body).backgroundColor"
    before = page.run(paper)
    page.click("#theme")
    check("a switch turns light into dark", page.run(paper) != before)
    page.click("#theme")
    page.look("dark")
    check("the system's wish is followed", page.run(paper) != before or page.run("document.documentElement.dataset.theme") == "light")
    page.look("light")
    quiet(page, "the camera")


def sizes(page, path, pictures):
    name = os.path.basename(path)[:-5]
    for size, (width, height, scale, is_phone) in {"phone": (390, 844, 2, True), "laptop": (1280, 800, 1, False)}.items():
        page.size(width, height, scale, is_phone)
        page.open(path)
        check("%s fits a %s" % (name, size), page.run("document.documentElement.scrollWidth") <= width, page.run("document.documentElement.scrollWidth"))
        if pictures:
            page.shot(os.path.join(pictures, "%s-%s.png" % (name, size)))
            page.run("document.querySelector('#conversation')?.scrollIntoView({behavior: 'instant'})")
            page.shot(os.path.join(pictures, "%s-%s-conversation.png" % (name, size)))
    page.size(794, 1123)
    page.look("dark", "print")
    page.open(path)
    check("%s is printed on white" % name, page.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)")
    page.run("dispatchEvent(new Event('beforeprint'))")
    check("%s is printed with its conversation" % name, page.run("document.querySelectorAll('#printed li').length") > 0)
    if pictures:
        page.shot(os.path.join(pictures, "%s-paper.png" % name), True)
    page.look("light")
    quiet(page, name)


def hostile(page, path):
    page.size(1280, 900)
    page.open(path)
    # A script, an image or a dialog from the name would show in these checks.
    check("a hostile name is text", "<script>alert(1)</script>" in page.run("document.querySelector('h1').textContent"))
    check("no element came of it", page.run("document.scripts.length") == 2 and page.run("document.querySelectorAll('img, iframe, object, embed, svg[onload]').length") == 0)
    page.run("(() => { const e = document.querySelector('#show'); e.value = 'operations'; e.dispatchEvent(new Event('change')); })()")
    for place in range(1, page.run("document.querySelectorAll('#list .row').length") + 1):
        page.run("document.querySelectorAll('#list .row')[%d].click()" % (place - 1))
    text = page.run("document.body.innerText")
    check("nothing in it turns the direction of writing, or controls", not any(ord(c) in range(0x202a, 0x202f) or ord(c) == 0x1b for c in text))
    blocked = page.run("(() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s); return window.ran === undefined; })()")
    check("the page allows no other script", blocked)
    page.errors = [one for one in page.errors if "Content Security Policy" not in one]
    quiet(page, "the hostile name")


def large(page, path):
    page.size(1280, 900)
    took = page.open(path)
    check("a long log opens within five seconds", took < 5, took)
    check("few rows are drawn at a time", page.run("document.querySelectorAll('#list .row').length") < 80)
    page.run("document.querySelector('#list').focus()")
    page.key("End")
    page.until("document.querySelector('#list [aria-selected=true]')")
    check("its end is a key away", page.run("(() => { const e = document.querySelector('#list [aria-selected=true]'); return e.getAttribute('aria-posinset') === e.getAttribute('aria-setsize'); })()"))
    took = page.run("(() => { const from = performance.now(); const e = document.querySelector('#search'); e.value = 'zzz'; document.querySelector('#show').dispatchEvent(new Event('change')); return performance.now() - from; })()")
    check("it is searched within two seconds", took < 2000, took)
    quiet(page, "a long log")


def main():
    program = os.path.abspath(sys.argv[1])
    pictures = sys.argv[2] if len(sys.argv) > 2 else None
    if pictures:
        os.makedirs(pictures, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        page = Chromium()
        try:
            camera(page, report(program, "gopro.btsnoop", folder))
            hostile(page, report(program, "hostile-name.btsnoop", folder))
            for sample in ("gopro.btsnoop", "heart-rate.btsnoop", "two-cameras.btsnoop", "typed-object.pcapng", "mid-connection.btsnoop"):
                sizes(page, report(program, sample, folder), pictures)
            # The same camera's packets repeated until the log is long.
            long = os.path.join(folder, "long.btsnoop")
            repeat(SAMPLES / "gopro.btsnoop", long, 100_000)
            path = os.path.join(folder, "long.html")
            subprocess.run([program, "report", long, "-o", path], check=True)
            large(page, path)
        finally:
            page.close()
    if failures:
        raise SystemExit("%d failed" % len(failures))


def repeat(sample, path, packets):
    """Writes the records of a btsnoop file again and again, each time with later times."""
    data = sample.read_bytes()
    records, at = [], 16
    while at + 24 <= len(data):
        length = int.from_bytes(data[at + 4:at + 8], "big")
        records.append((data[at:at + 16], int.from_bytes(data[at + 16:at + 24], "big"), data[at + 24:at + 24 + length]))
        at += 24 + length
    span = records[-1][1] - records[0][1] + 1_000_000
    with open(path, "wb") as file:
        file.write(data[:16])
        for number in range(packets):
            head, time, body = records[number % len(records)]
            file.write(head + (time + number // len(records) * span).to_bytes(8, "big") + body)


if __name__ == "__main__":
    main()
