"""A headless Chromium, controlled through its DevTools pipe, with the standard library alone."""
import base64
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time


class Chromium:
    """One page. `requests` are the addresses that it requested, `errors` the errors of its scripts and policies."""

    def __init__(self):
        program = next((path for path in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if path), None)
        if program is None:
            raise SystemExit("no chromium here")
        self.folder = tempfile.mkdtemp(prefix="chromium-")
        to_browser, from_browser = os.pipe(), os.pipe()

        def descriptors():
            # The browser reads from descriptor 3 and writes to 4.
            reading, writing = os.dup(to_browser[0]), os.dup(from_browser[1])
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
             "--disable-extensions", "--disable-background-networking", "--remote-debugging-pipe", "--user-data-dir=" + self.folder, "about:blank"],
            preexec_fn=descriptors, pass_fds=(3, 4, to_browser[0], from_browser[1]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser[0])
        os.close(from_browser[1])
        self.writer = os.fdopen(to_browser[1], "wb", buffering=0)
        self.reader = os.fdopen(from_browser[0], "rb", buffering=0)
        self.number = 0
        self.answers = {}
        self.arrived = threading.Condition()
        self.requests, self.errors = [], []
        self.events = []
        threading.Thread(target=self._read, daemon=True).start()
        targets = self._send("Target.getTargets")["targetInfos"]
        page = next(one for one in targets if one["type"] == "page")
        self.session = None
        self.session = self._send("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._send(domain + ".enable")

    def _read(self):
        rest = b""
        while True:
            piece = self.reader.read(1 << 20)
            if not piece:
                with self.arrived:
                    self.process = self.process
                    self.answers["end"] = True
                    self.arrived.notify_all()
                return
            *whole, rest = (rest + piece).split(b"\0")
            for text in whole:
                message = json.loads(text)
                with self.arrived:
                    if "id" in message:
                        self.answers[message["id"]] = message
                    else:
                        self._event(message["method"], message.get("params", {}))
                    self.arrived.notify_all()

    def _event(self, method, params):
        self.events.append(method)
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details.get("text"))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(params["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
            self.errors.append(" ".join(str(one.get("value", one.get("description"))) for one in params["args"]))
        elif method == "Page.javascriptDialogOpening":
            self.errors.append("a dialog: " + params["message"])

    def _send(self, method, **params):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": params}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        self.writer.write(json.dumps(message).encode() + b"\0")
        with self.arrived:
            if not self.arrived.wait_for(lambda: number in self.answers or "end" in self.answers, timeout=60) or number not in self.answers:
                raise RuntimeError(method + ": no answer")
            answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(method + ": " + answer["error"]["message"])
        return answer["result"]

    def size(self, width, height, scale=1, is_phone=False):
        self._send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=is_phone)

    def look(self, scheme="light", media=""):
        self._send("Emulation.setEmulatedMedia", media=media, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, path, ready="document.body && document.body.dataset.ready === 'true'"):
        """Opens a file, with `?` and the query, and waits until the script `ready` is true, by default that of reports. Returns the seconds
        it took."""
        self.requests.clear()
        self.errors.clear()
        start = time.monotonic()
        self._send("Page.navigate", url="file://" + os.path.abspath(path))
        self.until(ready, 60)
        return time.monotonic() - start

    def run(self, script):
        """Returns the value of a script."""
        result = self._send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", script))
        return result["result"].get("value")

    def until(self, script, seconds=5):
        """Waits until a script is true."""
        end = time.monotonic() + seconds
        while True:
            try:
                if self.run("!!(" + script + ")"):
                    return
            except RuntimeError:
                # The page may be changing at the same time.
                pass
            if time.monotonic() > end:
                raise AssertionError("never true: " + script + "; errors: " + str(self.errors))
            time.sleep(0.03)

    def box(self, selector):
        """The x and y of an element's centre, its width and height."""
        return self.run(
            "(() => { const e = document.querySelector(%s); e.scrollIntoView({block: 'center', behavior: 'instant'}); const b = e.getBoundingClientRect();"
            " return [b.x + b.width / 2, b.y + b.height / 2, b.width, b.height]; })()" % json.dumps(selector))

    def mouse(self, kind, x, y, **more):
        self._send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def point(self, selector):
        x, y, _, _ = self.box(selector)
        self.mouse("mouseMoved", x, y)

    def click(self, selector):
        x, y, _, _ = self.box(selector)
        self.press(x, y)

    def press(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def type(self, text):
        self._send("Input.insertText", text=text)

    def key(self, name):
        codes = {"ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39, "Enter": 13, "End": 35, "Home": 36, "Escape": 27, "+": 187, "0": 48}
        for kind in ("rawKeyDown", "keyUp"):
            self._send("Input.dispatchKeyEvent", type=kind, key=name, windowsVirtualKeyCode=codes.get(name, 0))

    def shot(self, path, is_whole=False):
        """A screenshot of the visible part, or of the full page."""
        data = self._send("Page.captureScreenshot", format="png", captureBeyondViewport=is_whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def pdf(self, path):
        """The page as printed on A4."""
        data = self._send("Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69, preferCSSPageSize=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        try:
            self.session = None
            self._send("Browser.close")
        except (RuntimeError, OSError, BrokenPipeError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)
