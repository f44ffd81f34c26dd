"""Loads main.py and answers what the server asks, in frames (frames.ts says what they are)."""
import http
import importlib
import json
import os
import socket
import struct
import sys
import threading
import time
import traceback
from urllib.parse import parse_qs, urlsplit

INSTRUCTIONS = json.load(sys.stdin)
os.environ.update(INSTRUCTIONS["variables"])
time.tzset()
CODE = INSTRUCTIONS["code"]
TARGET = os.environ.get("FUNCTION_TARGET", "")
BODY_BYTES_MAX = 32 * 1024 * 1024
REQUEST, REQUEST_WITH_BODY, DATA, END, STOP, CREDIT, CHECK, READY = range(1, 9)
WINDOW_BYTES = 128 * 1024
PREFIX = struct.Struct("<IIB")
link = socket.socket(fileno=3)
writing = threading.Lock()


def write(kind, request, content=b""):
    with writing:
        link.sendall(PREFIX.pack(len(content), request, kind) + content)


def tell(message):
    write(READY, 0, json.dumps(message).encode())


def exactly(count):
    parts = []
    while count > 0:
        part = link.recv(min(count, 1 << 16))
        if not part:
            # The server is gone, and so is whoever could ask for anything.
            os._exit(0)
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


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


class Context:
    def __init__(self, event):
        self.event_id, self.timestamp = event.get("id"), event.get("time")
        self.event_type, self.resource = event.get("type"), event.get("source")


# As functions of the first generation take them.
def background_of(event):
    data = event.get("data")
    return data.get("message", data) if isinstance(data, dict) else data, Context(event)


def event_of(headers, data):
    kind = headers.get("content-type", "")
    if kind.startswith("application/cloudevents+json"):
        return CloudEvent(json.loads(data))
    event = CloudEvent({name[3:]: value for name, value in headers.items() if name.startswith("ce-")})
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


def phrase_of(status):
    try:
        return http.HTTPStatus(status).phrase
    except ValueError:
        return ""


class Exchange:
    """One request and its answer."""

    def __init__(self, number, head):
        self.number = number
        self.method, self.url, *pairs = head.decode("latin-1").split("\n")
        self.headers = {name.lower(): value for name, value in zip(pairs[::2], pairs[1::2])}
        self.parts = []
        self.size = 0
        self.room = WINDOW_BYTES
        self.is_over = False
        self.is_begun = False
        self.changed = threading.Condition()

    def take(self, part):
        self.size += len(part)
        if self.size <= BODY_BYTES_MAX:
            self.parts.append(part)
            write(CREDIT, self.number, struct.pack("<I", len(part)))
        else:
            self.begin(lambda: self.reply(413, {"x-medley-function-error": "1"}, b"The request is too large."))

    def credit(self, count):
        with self.changed:
            self.room += count
            self.changed.notify()

    def stop(self):
        with self.changed:
            self.is_over = True
            self.changed.notify()

    def send(self, data):
        while data:
            with self.changed:
                self.changed.wait_for(lambda: self.room > 0 or self.is_over)
                if self.is_over:
                    return
                part, data = data[: self.room], data[self.room :]
                self.room -= len(part)
            write(DATA, self.number, part)

    def reply(self, status, headers, body):
        lines = [f"HTTP/1.1 {status} {phrase_of(status)}", f"content-length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items() if name.lower() != "content-length"]
        head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")
        self.send(head if self.method == "HEAD" or status in (204, 304) else head + body)
        write(STOP if self.is_over else END, self.number)
        self.is_over = True
        exchanges.pop(self.number, None)

    def begin(self, work=None):
        if self.is_begun:
            return
        self.is_begun = True
        threading.Thread(target=work or self.answer, daemon=True).start()

    def answer(self):
        data = b"".join(self.parts)
        try:
            if signature == "http":
                status, headers, body = answer_of(function(Request(self.method, self.url, self.headers, data)))
                return self.reply(status, headers, body)
            event = event_of(self.headers, data)
            if signature == "event":
                function(*background_of(event))
            else:
                function(event)
            return self.reply(204, {}, b"")
        except Exception:
            print(json.dumps({"severity": "ERROR", "message": traceback.format_exc().replace(CODE + "/", "")}), file=sys.stderr, flush=True)
            return self.reply(500, {"x-medley-function-error": "1"}, b"Internal Server Error")


exchanges = {}


def serve():
    while True:
        length, number, kind = PREFIX.unpack(exactly(PREFIX.size))
        content = exactly(length)
        if kind == CHECK:
            write(CHECK, number)
        elif kind in (REQUEST, REQUEST_WITH_BODY):
            exchanges[number] = Exchange(number, content)
            if kind == REQUEST:
                exchanges[number].begin()
        elif number in exchanges:
            exchange = exchanges[number]
            if kind == DATA:
                exchange.take(content)
            elif kind == END:
                exchange.begin()
            elif kind == CREDIT:
                exchange.credit(*struct.unpack("<I", content))
            elif kind == STOP:
                exchange.stop()


try:
    sys.path.insert(0, CODE)
    os.chdir(CODE)
    module = importlib.import_module("main")
    registered = getattr(sys.modules.get("functions_framework"), "_registered", {})
    signature, function = registered.get(TARGET) or (os.environ["FUNCTION_SIGNATURE_TYPE"], getattr(module, TARGET))
    tell({"ready": True})
except BaseException:
    tell({"problem": traceback.format_exc().replace(CODE + "/", "")[-4000:]})
    sys.exit(1)
serve()
