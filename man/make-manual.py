#!/usr/bin/env python3
"""make-manual.py BTSCRIBE: the manual page btscribe(1) in mdoc, made from the commands' own help.
make-manual.py BTSCRIBE filter: the page btscribe-filter(5), with the list of fields that `btscribe fields` prints.

What the program does not say (environment, files, exit status, grammar, examples) stands in man/*.head and man/*.tail;
what a packet costs, in Tests/Benchmarks/guard.py.
"""
import ast
import json
import pathlib
import re
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent


def text(words, literal=False):
    """Plain text as roff: what roff would take for its own is escaped, a sentence begins a line."""
    words = (words or "").strip().replace("\\", "\\e").replace("-", "\\-")
    if not literal:
        words = re.sub(r"([.!?][\")]?) +", r"\1\n", words)
    return "\n".join(("\\&" + line if line[:1] in (".", "'") else line) for line in words.splitlines())


def paragraphs(words):
    """Paragraphs of a discussion; indented lines are shown as they stand."""
    out, shown = [], False
    for line in (words or "").strip("\n").splitlines():
        indented = line.startswith("  ")
        if indented and not shown:
            if out and out[-1] == ".Pp":
                out.pop()
            out.append(".Bd -literal -offset indent")
        if shown and not indented:
            if not line.strip():
                out.append("")
                continue
            while out and not out[-1]:
                out.pop()
            out.append(".Ed")
        shown = indented or (shown and not line.strip())
        if indented:
            out.append(text(line.strip(), literal=True))
        elif not line.strip():
            out.append(".Pp")
        else:
            out.append(text(line))
    while out and out[-1] in ("", ".Pp"):
        out.pop()
    if shown:
        out.append(".Ed")
    return out


def name_of(name):
    return ("\\-\\-" if name["kind"] == "long" else "\\-") + text(name["name"])


def term(argument):
    value = text(argument.get("valueName", "value"))
    if argument["kind"] == "positional":
        return f".It Ar {value}"
    names = [f"Fl {name_of(n)[2:]}" for n in argument.get("names", [])]
    line = ".It " + " , ".join(names)
    return line + (f" Ar {value}" if argument["kind"] == "option" else "")


def shape(argument):
    value = text(argument.get("valueName", "value"))
    dots = " ..." if argument.get("isRepeating") else ""
    if argument["kind"] == "positional":
        return (f".Op Ar {value}{dots}" if argument.get("isOptional") else f".Ar {value}{dots}")
    first = argument.get("preferredName") or argument["names"][0]
    line = f"Fl {name_of(first)[2:]}" + (f" Ar {value}" if argument["kind"] == "option" else "") + dots
    return f".Op {line}" if argument.get("isOptional") else f".{line}"


def shown(command):
    return [a for a in command.get("arguments", []) if a.get("shouldDisplay", True) and "help" not in
            [n["name"] for n in a.get("names", []) or []] and "version" not in [n["name"] for n in a.get("names", []) or []]]


def describe(argument):
    words = [text(argument.get("abstract", ""))]
    words += paragraphs(argument.get("discussion"))
    values = argument.get("allValues") or []
    explained = argument.get("allValueDescriptions") or {}
    out = [w for w in words if w]
    said = " ".join(out)
    if values and not explained and not all(text(v) in said for v in values):
        out.append("One of " + ", ".join(text(v) for v in values) + ".")
    if explained:
        out.append(".Bl -tag -width Ds -compact")
        for value in values:
            out.append(f".It {text(value)}\n{text(explained.get(value, ''))}")
        out.append(".El")
    if argument.get("defaultValue") not in (None, "", "false"):
        out.append(f"The default is {text(argument['defaultValue'])}.")
    return out or ["\\&"]


def command_lines(command, path, out):
    subcommands = [c for c in command.get("subcommands", []) or [] if c.get("shouldDisplay", True) and c["commandName"] != "help"]
    if path:
        out.append(f".Ss {text(' '.join(path))}")
        out += [text(command.get("abstract", ""))]
        options = shown(command)
        if not subcommands or options:
            out.append(".Pp")
            out.append(f".Nm btscribe Cm {text(' '.join(path))}")
            out += [shape(a) for a in options]
        if command.get("discussion"):
            out.append(".Pp")
            out += paragraphs(command["discussion"])
        if options:
            out.append(".Bl -tag -width Ds")
            for a in options:
                out.append(term(a))
                out += describe(a)
            out.append(".El")
    for sub in subcommands:
        command_lines(sub, path + [sub["commandName"]], out)


def filter_page():
    """The list of fields between what stands before and behind it."""
    out = [".\\\" Made by man/make-manual.py; edit btscribe-filter.5.head and .tail.", (here / "btscribe-filter.5.head").read_text().rstrip("\n")]
    listed = subprocess.run([sys.argv[1], "fields"], check=True, capture_output=True, text=True).stdout
    is_open = False
    for line in listed.splitlines():
        if line.startswith("  "):
            name, kind = line.split(None, 1)
            # A name that is nearly as long as a line may be broken.
            name = text(name) if len(name) < 72 else re.sub("([._])", r"\1\\:", text(name))
            out += [f".It Li {name}", text(kind)]
        elif line:
            if is_open:
                out.append(".El")
            out.append(f".Ss {text(line)}")
            out.append(".Bl -tag -width 48n -compact")
            is_open = True
    out.append(".El")
    out.append((here / "btscribe-filter.5.tail").read_text().rstrip("\n"))
    print("\n".join(out))


def protocols():
    """How far each protocol is known, as a table."""
    listed = subprocess.run([sys.argv[1], "fields", "--protocols"], check=True, capture_output=True, text=True).stdout.splitlines()
    out = ['.Bl -column "ll.advertising" "named" "fields" "filters" "state"', ".It Em protocol Ta Em named Ta Em fields Ta Em filters Ta Em state"]
    for line in listed[1:]:
        name, named, fields, filters, *state = line.split(None, 4)
        out.append(f".It Li {text(name)} Ta {named} Ta {fields} Ta {filters} Ta {text(' '.join(state), literal=True)}")
    return out + [".El"]


def costs():
    """What the guard holds a packet to, as a table: the numbers stand there only."""
    guard = (here.parent / "Tests/Benchmarks/guard.py").read_text()
    bounds = ast.literal_eval(re.search(r"^BOUNDS = (\{.*?^\})", guard, re.M | re.S)[1])
    jobs = [job for job in bounds if "--no-profiles" not in job]
    lines = ['.Bl -column "timeline \\-\\-format ndjson" "with profiles" "without"', ".It Em job Ta Em with profiles Ta Em without"]
    for job in jobs:
        cells = [text(job)] + [str(bounds[name][1]) if name in bounds else "" for name in (job, job + " --no-profiles")]
        lines.append(".It " + " Ta ".join(cells))
    return lines + [".El"]


def main():
    if sys.argv[2:] == ["filter"]:
        return filter_page()
    dumped = subprocess.run([sys.argv[1], "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    root = json.loads(dumped)["command"]
    out = [
        '.\\" Made by man/make-manual.py from the commands\' own help; do not edit.',
        ".Dd November 21, 2026", ".Dt BTSCRIBE 1", ".Os",
        ".Sh NAME", ".Nm btscribe", f".Nd {text(root.get('abstract', '')).rstrip('.')}",
        ".Sh SYNOPSIS", ".Nm", ".Op Ar command", ".Op Ar options", ".Op Ar capture ...",
        ".Sh DESCRIPTION",
    ]
    out += paragraphs(root.get("discussion")) or [text(root.get("abstract", ""))]
    out.append(".Sh COMMANDS")
    # The two options that every command has, once.
    out.append("Every command has")
    out.append(".Fl h , Fl \\-help ,\nwhich prints its part of this page, and\n.Fl \\-version ,\nwhich")
    out.append("prints, with\n.Fl \\-verbose ,\nalso the components of the program.")
    command_lines(root, [], out)
    tail = here / "btscribe.1.tail"
    if tail.exists():
        out.append(tail.read_text().rstrip("\n").replace("@costs@", "\n".join(costs())).replace("@protocols@", "\n".join(protocols())))
    print("\n".join(line for block in out for line in block.splitlines() if line.strip()))


main()
