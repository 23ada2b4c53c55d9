"""Start the sandbox from Python, and call it. Standard library only; Python 3.9 or later.

    with Sandbox() as sandbox:
        client = sandbox.log_in()
        funds = client.get_portfolio_user_funds_and_margin()

Every operation of the sandbox's description (/_sandbox/openapi.json) is a method of the client: its operationId in
snake case. Path and query parameters are keyword arguments; `body` is the JSON body. Python's integers are exact, so
order ids of 19 digits stay whole.
"""

import base64
import datetime
import hashlib
import hmac
import json
import os
import re
import signal
import struct
import subprocess
import urllib.error
import urllib.parse
import urllib.request

PHONE, MPIN, TOTP_SECRET = "9000000001", "1357", "KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU"


class Refused(Exception):
    """The service refused a request. `status` is its HTTP status, `reply` its body."""

    def __init__(self, status, reply):
        super().__init__(f"{status}: {reply.get('error', reply) if isinstance(reply, dict) else reply}")
        self.status, self.reply = status, reply


class Client:
    """The operations of a sandbox, as its description names them."""

    def __init__(self, url, headers=None):
        self.url, self.headers = url.rstrip("/"), dict(headers or {})
        self._operations = {}
        for path, methods in self._send("GET", "/_sandbox/openapi.json")["paths"].items():
            for method, operation in methods.items():
                name = re.sub(r"(?<!^)(?=[A-Z])", "_", operation["operationId"]).lower()
                self._operations[name] = (method.upper(), path, operation.get("parameters", []))

    def __dir__(self):
        return [*super().__dir__(), *self._operations]

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._operations:
            raise AttributeError(f"The sandbox's description has no operation {name}")
        method, path, parameters = self._operations[name]

        def call(body=None, **values):
            allowed = {parameter["name"] for parameter in parameters}
            unknown = set(values) - allowed
            if unknown:
                raise TypeError(f"{name} takes {sorted(allowed)}, not {sorted(unknown)}")
            address = re.sub(r"\{(\w+)\}", lambda found: urllib.parse.quote(str(values.pop(found[1])), safe=""), path)
            query = urllib.parse.urlencode(values)
            return self._send(method, address + (f"?{query}" if query else ""), body)

        return call

    def _send(self, method, address, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {**self.headers, **({} if data is None else {"content-type": "application/json"})}
        request = urllib.request.Request(self.url + address, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                return self._read(reply)
        except urllib.error.HTTPError as error:
            with error:
                raise Refused(error.code, self._read(error)) from None

    @staticmethod
    def _read(reply):
        data = reply.read()
        return json.loads(data) if "json" in reply.headers.get("content-type", "") else data


class Sandbox:
    """A sandbox as a process of its own, on a free port; use it with `with`, or call `stop`."""

    def __init__(self, *options, command=("npx", "--yes", "brokerage-sandbox")):
        words = [*command, "--port", "0", *options]
        # A session of its own, so that a signal reaches what npx starts too.
        self._process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True)
        self.url = None
        for line in self._process.stdout:
            found = re.match(r" *Address +(http:\S+)", line)
            self.url = found[1] if found else self.url
            if "Press Ctrl-C" in line:
                return
        self.stop()
        raise RuntimeError("The sandbox ended before it was ready. Its words are above.")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Ends it and waits until it has ended."""
        if self._process.poll() is None:
            end = getattr(os, "killpg", None)
            end(self._process.pid, signal.SIGTERM) if end else self._process.terminate()
        self._process.wait(timeout=30)
        self._process.stdout.close()

    def log_in(self, phone=PHONE, mpin=MPIN, totp_secret=TOTP_SECRET, device="python"):
        """Logs in by TOTP, by the sandbox's clock. Returns a client with the session."""
        client = Client(self.url, {"x-device-id": device})
        code = totp(totp_secret, client.get_sandbox_health()["clock"]["now"])
        first = client.post_totp_login(body={"phone": phone, "totp": code, "otp": ""})
        client.headers["authorization"] = f"Bearer {first['auth_token']}"
        second = client.post_verifypin(body={"pin": mpin})
        client.headers["authorization"] = f"Bearer {second['session_token']}"
        return client


def totp(secret, instant):
    """The code that an authenticator app shows at an ISO instant (RFC 6238: six digits, 30 seconds, SHA-1)."""
    seconds = int(datetime.datetime.fromisoformat(instant).timestamp())
    key = base64.b32decode(secret.upper() + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", seconds // 30), hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start : start + 4])[0] & 0x7FFFFFFF) % 1_000_000:06d}"
