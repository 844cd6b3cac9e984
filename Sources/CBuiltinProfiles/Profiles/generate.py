#!/usr/bin/env python3
"""Writes what of this folder's profiles is compiled: Builtin+Generated.swift, the line by which each is found, and texts.c, which takes their texts in.

Needs PyYAML. Run it after every change of a profile here; a test holds the generated file to what the profiles say.
"""
import os
import re
import sys

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
LINES = os.path.join(HERE, "..", "..", "Profiles", "Matching", "Builtin+Generated.swift")
TEXTS = os.path.join(HERE, "..", "texts.c")


def load(path):
    with open(path, encoding="utf-8") as file:
        return yaml.load(file, Loader=yaml.BaseLoader)


def merge(parent, child, top=True):
    if not isinstance(parent, dict) or not isinstance(child, dict):
        return child
    result = {key: value for key, value in parent.items() if not (top and key in ("extends", "match", "tests", "aliases"))}
    for key, value in child.items():
        if top and key == "extends":
            continue
        if value in ("", "~", "null"):
            result.pop(key, None)
        elif top and key in ("match", "tests", "aliases"):
            result[key] = value
        else:
            result[key] = merge(result[key], value, False) if key in result else value
    return result


def listed(value):
    return value if isinstance(value, list) else [] if value is None else [value]


def number(text):
    text = text.replace("_", "")
    return int(text, 0) if re.fullmatch(r"[+-]?0[xob][0-9a-fA-F]+", text) else int(text)


def uuid(text):
    digits = re.sub(r"^0x", "", text.lower()).replace("-", "")
    if len(digits) == 32 and digits[8:] == "00001000800000805f9b34fb":
        digits = digits[4:8] if digits[:4] == "0000" else digits[:8]
    if len(digits) == 8 and digits[:4] == "0000":
        digits = digits[4:]
    if len(digits) in (4, 8):
        return digits
    return "-".join([digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]])


def quote(text):
    return "".join("%%%02x" % ord(c) if c in ' ,|%="\\' else c for c in text)


def line(profile):
    words = []

    def add(key, values):
        if values:
            words.append(key + "=" + ",".join(quote(value) for value in values))

    def uuids(value):
        return [uuid(text) for text in listed(value)]

    def companies(value):
        return ["%x" % number(text) for text in listed(value)]

    for rule in listed(profile.get("match")):
        words.append("|")
        add("s", uuids(rule.get("services")))
        add("d", uuids(rule.get("service-data")))
        add("c", companies(rule.get("companies")))
        add("n", listed(rule.get("names")))
        add("u", uuids(rule.get("characteristics")))
        add("a", [text.lower() for text in listed(rule.get("addresses"))])
    words.append("|")
    attributes, handles, company, data, structures, services, names, rfcomm, channels, psms = ([] for _ in range(10))
    any_company = whole = False
    for section in ("characteristics", "descriptors"):
        for source in (profile.get(section) or {}).values():
            attributes += uuids(source.get("uuid"))
            handles += ["%x" % number(text) for text in listed(source.get("handle"))]
    for source in (profile.get("advertisements") or {}).values():
        any_company = any_company or source.get("company") == "any"
        company += companies(source.get("company") if source.get("company") != "any" else None)
        data += uuids(source.get("service-data"))
        structures += ["%x" % number(text) for text in listed(source.get("ad-type"))]
        is_plain = not {"company", "service-data", "ad-type"} & set(source)
        if is_plain:
            services += uuids(source.get("services"))
        if is_plain or source.get("whole") == "true":
            whole = True
        names += listed(source.get("names"))
    for source in (profile.get("rfcomm") or {}).values():
        rfcomm += uuids(source.get("service"))
        channels += [str(number(text)) for text in listed(source.get("channel"))]
    for source in (profile.get("l2cap") or {}).values():
        psms += [str(number(text)) for text in listed(source.get("psm"))]
    for key in ("aliases", "kind", "status"):
        add(key, listed(profile.get(key)))
    for key, values in (
        ("attributes", attributes), ("handles", handles), ("companies", company), ("data", data), ("structures", structures),
        ("services", services), ("names", names),
        ("any", ["company"] if any_company else []), ("whole", ["data"] if whole else []),
        ("rfcomm", rfcomm), ("channels", channels), ("psms", psms),
    ):
        add(key, values)
    return " ".join(words)


def main():
    files = sorted(name for name in os.listdir(HERE) if name.endswith(".yaml"))
    loaded = {}
    for name in files:
        profile = load(os.path.join(HERE, name))
        if "library" in profile:
            profile = {**profile, "profile": profile["library"], "kind": "library"}
        if profile.get("profile") != name[: -len(".yaml")]:
            sys.exit("%s: the profile must be called %s" % (name, name[: -len(".yaml")]))
        loaded[profile["profile"]] = profile
    head = "// Generated by Sources/CBuiltinProfiles/Profiles/generate.py from the profiles beside that script: edit those."
    lines = [
        head,
        "// swift-format-ignore-file",
        "",
        "/// The profiles that are compiled into the program, by name; their texts stand in the same order.",
        "let builtinProfiles: [BuiltinProfile] = [",
    ]
    texts, table = [head, "", '#include "profile_texts.h"', '#pragma clang diagnostic ignored "-Wc23-extensions"', ""], []
    for name, profile in sorted(loaded.items()):
        whole = profile
        for _ in range(8):
            if "extends" not in whole:
                break
            whole = merge(loaded[whole["extends"]], {**whole}) | {
                key: value for key, value in loaded[whole["extends"]].items() if key == "extends"}
        lines.append('  BuiltinProfile(id: "%s", title: #"%s"#, index: #"%s"#),' % (name, profile.get("title", name), line(whole)))
        symbol = re.sub(r"[^a-z0-9]", "_", name)
        texts += ["static const unsigned char %s[] = {" % symbol, '#embed "Profiles/%s.yaml"' % name, "};"]
        table.append("  {%s, sizeof %s}," % (symbol, symbol))
    lines += ["]", ""]
    texts += ["", "static const struct profile_text texts[] = {"] + table + ["};", ""]
    texts += ["struct profile_text profile_text(size_t number) {", "  struct profile_text none = {0, 0};"]
    texts += ["  return number < sizeof texts / sizeof *texts ? texts[number] : none;", "}", ""]
    for path, output in ((LINES, lines), (TEXTS, texts)):
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(output))


if __name__ == "__main__":
    main()
