# SPDX-License-Identifier: MIT
"""A headless Chromium, driven over a pipe by the Chrome DevTools Protocol: no driver, no port."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")
SWITCHES = ["--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu", "--disable-extensions",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
            "--disable-dev-shm-usage", "--mute-audio", "--force-color-profile=srgb"]


def find_chrome():
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Chrome:
    """One browser with one page. `events` holds what the page told since it was last cleared."""

    def __init__(self, seconds=60):
        self.seconds, self.number, self.rest, self.events = seconds, 0, b"", []
        self.session = None
        self.profile = tempfile.mkdtemp(prefix="rocenv-chrome-")
        theirs_in, self.to_chrome = os.pipe()
        self.from_chrome, theirs_out = os.pipe()

        def as_3_and_4():
            source, sink = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(source, 3)
            os.dup2(sink, 4)

        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        self.process = subprocess.Popen(
            [find_chrome(), *SWITCHES, *sandbox, f"--user-data-dir={self.profile}", "about:blank"], pass_fds=(3, 4),
            preexec_fn=as_3_and_4, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.profile})
        os.close(theirs_in)
        os.close(theirs_out)
        self._attach()

    def _attach(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log", "Accessibility"):
            self.call(domain + ".enable")

    def close(self):
        os.close(self.to_chrome)  # which ends it and all of its processes
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _read(self, until):
        """The next message, or nothing when time is over."""
        while b"\0" not in self.rest:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.from_chrome], [], [], left)[0]:
                return None
            piece = os.read(self.from_chrome, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has gone")
            self.rest += piece
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to_chrome, data):]
        until = time.monotonic() + self.seconds
        while answer := self._read(until):
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)
        raise RuntimeError(f"{method} was not answered in {self.seconds} s")

    def wait_for(self, method):
        until = time.monotonic() + self.seconds
        while not any(event["method"] == method for event in self.events):
            message = self._read(until)
            if message is None:
                raise RuntimeError(f"no {method} in {self.seconds} s")
            self.events.append(message)

    def reported(self, *methods):
        return [event for event in self.events if event["method"] in methods]

    def open(self, url):
        self.events.clear()
        self.call("Page.navigate", url=url)
        self.wait_for("Page.loadEventFired")

    def run(self, script):
        """The value of an expression in the page."""
        done = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in done:
            raise RuntimeError(f"{script}: {done['exceptionDetails']}")
        return done["result"].get("value")

    def key(self, key, code=0, text=None):
        for kind in ("keyDown", "keyUp"):
            extra = {"text": text} if text and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **extra)

    def click(self, element):
        """With the mouse, on the middle of what an expression names."""
        place = self.run(f"(() => {{ const e = {element}; e.scrollIntoView({{block: 'center'}});"
                         "const r = e.getBoundingClientRect();"
                         "return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def look(self, width, height, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, file):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        file.write_bytes(base64.b64decode(data))
