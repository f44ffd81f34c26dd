"""Tells recorded requests (console/answers) whose body or query the validator of boto3 refuses. Needs boto3."""
import json
import pathlib
import re
import sys
from urllib.parse import parse_qsl, unquote, urlsplit

try:
    from botocore.exceptions import UnknownServiceError
    from botocore.session import get_session
    from botocore.validate import ParamValidator
except ImportError:
    print("no boto3 here: the examples are not checked with it")
    sys.exit(0)

ANSWERS = pathlib.Path(__file__).parent.parent / "console" / "answers"
# The mount of each service, and its clients. Newer releases of boto3 have none for events.
CLIENTS = {
    "backup": ("/backup", ["backup"]),
    "events": ("/events", ["iotevents", "iotevents-data"]),
    "resource-groups": ("/resource-groups", ["resource-groups"]),
    "security-tokens": ("/sts", ["sts"]),
    "voice": ("/voice", ["pinpoint-sms-voice"]),
}


def models_of(names):
    for name in names:
        try:
            yield get_session().get_service_model(name)
        except UnknownServiceError:
            pass


def arguments_of(model, seen, mount):
    """What a caller of boto3 would write for the request."""
    url = urlsplit(seen["path"])
    body = seen.get("body", {})
    if model.http.get("requestUri", "/") == "/":
        words = {**dict(parse_qsl(url.query)), **body}
        return {name: value for name, value in words.items() if name not in ("Action", "Version")}
    template = re.escape(model.http["requestUri"].split("?")[0])
    shape = re.sub(r"\\\{(\w+)(?:\\\+)?\\\}", r"(?P<\1>[^/]+)", template).removesuffix("/") + "/?"
    found = re.fullmatch(shape, url.path.removeprefix(mount))
    if not found:
        return None
    members = model.input_shape.members if model.input_shape else {}
    names = {shape.serialization.get("name", name): name for name, shape in members.items()}
    words = {**found.groupdict(), **dict(parse_qsl(url.query))}
    typed = {"integer": int, "long": int, "boolean": lambda text: text == "true"}

    def value_of(name, text):
        shape = members.get(names.get(name, name))
        plain = unquote(text)
        if shape is not None and shape.type_name == "list":
            return [plain]
        return typed.get(shape.type_name, str)(plain) if shape is not None else plain

    return {**{names.get(name, name): value_of(name, text) for name, text in words.items()}, **body}


def problems_in(service, mount, clients):
    models = list(models_of(clients))
    answers = json.loads((ANSWERS / f"{service}.json").read_text(encoding="utf-8"))
    for identifier, seen in answers.items():
        name = identifier.split(".")[-1]
        if service == "security-tokens":
            name = seen.get("body", {}).get("Action") or dict(parse_qsl(urlsplit(seen["path"]).query)).get("Action")
        model = next((one.operation_model(name) for one in models if name in one.operation_names), None)
        if model is None:
            continue
        arguments = arguments_of(model, seen, mount)
        if arguments is None:
            yield identifier, f"{seen['path']} is not {model.http['requestUri']}"
            continue
        if model.input_shape:
            report = ParamValidator().validate(arguments, model.input_shape)
            yield identifier, report.generate_report() if report.has_errors() else None


checked = [
    problem for service, (mount, clients) in CLIENTS.items() for problem in problems_in(service, mount, clients)
]
refused = [f"{identifier}: {problem}" for identifier, problem in checked if problem]
print("\n".join(refused) or f"{len(checked)} examples are accepted by boto3")
sys.exit(1 if refused else 0)
