/** The Python side of the same: a small server of the standard library, and what stands for the public framework there. */
export const PYTHON_FILES: Readonly<Record<string, string>> = {
  "python/functions_framework.py": `"""Registers functions by decorators."""
_registered = {}
_last = {}


def http(function):
    _registered[function.__name__] = ("http", function)
    return function


def cloud_event(function):
    _registered[function.__name__] = ("cloudevent", function)
    return function
`,
  "python/runner.py": `"""Loads main.py and answers requests on a socket."""
import importlib
import json
import os
import socketserver
import sys
import threading
import time
import traceback
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

INSTRUCTIONS = json.load(sys.stdin)
os.environ.update(INSTRUCTIONS["variables"])
time.tzset()
CODE = INSTRUCTIONS["code"]
SOCKET = INSTRUCTIONS["socket"]
CHECK = INSTRUCTIONS["check"]
TARGET = os.environ.get("FUNCTION_TARGET", "")
BODY_BYTES_MAX = 32 * 1024 * 1024


def leave_with_server():
    """The server holds the other end: when that is gone, so is whoever could ask for anything."""
    os.read(3, 1)
    os._exit(0)


def tell(message):
    os.write(3, (json.dumps(message) + "\\n").encode())


class Request:
    def __init__(self, method, url, headers, data):
        parts = urlsplit(url)
        self.method = method
        self.path = parts.path
        self.query_string = parts.query.encode()
        self.headers = headers
        self.data = data
        self.args = {name: values[0] for name, values in parse_qs(parts.query).items()}
        is_form = headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
        self.form = {name: values[0] for name, values in parse_qs(data.decode()).items()} if is_form else {}

    def get_data(self, as_text=False):
        return self.data.decode() if as_text else self.data

    def get_json(self, force=False, silent=False):
        if not force and "json" not in self.headers.get("content-type", ""):
            return None
        try:
            return json.loads(self.data or b"null")
        except ValueError:
            if silent:
                return None
            raise

    @property
    def json(self):
        return self.get_json()


class CloudEvent(dict):
    @property
    def data(self):
        return self.get("data")


def event_of(headers, data):
    kind = headers.get("content-type", "")
    if kind.startswith("application/cloudevents+json"):
        return CloudEvent(json.loads(data))
    event = CloudEvent({name[3:].lower(): value for name, value in headers.items() if name.lower().startswith("ce-")})
    event["data"] = json.loads(data) if "json" in kind and data else data.decode()
    return event


def answer_of(value):
    status, headers = 200, {}
    if isinstance(value, tuple):
        value, *rest = value
        for part in rest:
            if isinstance(part, int):
                status = part
            elif part:
                headers.update(part)
    if value is None:
        value = ""
    if isinstance(value, (dict, list)):
        headers.setdefault("content-type", "application/json")
        value = json.dumps(value)
    headers.setdefault("content-type", "text/html; charset=utf-8")
    return status, headers, value if isinstance(value, bytes) else str(value).encode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def address_string(self):
        return ""

    def reply(self, status, headers, body):
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def body(self):
        if "chunked" in self.headers.get("transfer-encoding", ""):
            parts = []
            while True:
                size = int(self.rfile.readline().split(b";")[0], 16)
                parts.append(self.rfile.read(size))
                self.rfile.readline()
                if size == 0:
                    return b"".join(parts)
        return self.rfile.read(int(self.headers.get("content-length", 0)))

    def handle_one(self):
        if self.headers.get("x-medley-check") == CHECK:
            return self.reply(204, {}, b"")
        data = self.body()
        if len(data) > BODY_BYTES_MAX:
            return self.reply(413, {"x-medley-function-error": "1"}, b"The request is too large.")
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            if signature == "http":
                status, answer_headers, body = answer_of(function(Request(self.command, self.path, headers, data)))
                return self.reply(status, answer_headers, body)
            function(event_of(headers, data))
            return self.reply(204, {}, b"")
        except Exception:
            print(json.dumps({"severity": "ERROR", "message": traceback.format_exc().replace(CODE + "/", "")}), file=sys.stderr, flush=True)
            return self.reply(500, {"x-medley-function-error": "1"}, b"Internal Server Error")

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = lambda self: self.handle_one()


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 128


try:
    sys.path.insert(0, CODE)
    os.chdir(CODE)
    module = importlib.import_module("main")
    registered = getattr(sys.modules.get("functions_framework"), "_registered", {})
    signature, function = registered.get(TARGET) or (os.environ["FUNCTION_SIGNATURE_TYPE"], getattr(module, TARGET))
    server = Server(SOCKET, Handler)
    threading.Thread(target=leave_with_server, daemon=True).start()
    tell({"ready": True})
    server.serve_forever()
except BaseException:
    tell({"problem": traceback.format_exc().replace(CODE + "/", "")[-4000:]})
    sys.exit(1)
`,
};
