"""Registers functions by decorators."""
_registered = {}


def http(function):
    _registered[function.__name__] = ("http", function)
    return function


def cloud_event(function):
    _registered[function.__name__] = ("cloudevent", function)
    return function
