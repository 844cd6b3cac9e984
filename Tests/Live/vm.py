#!/usr/bin/env python3
"""A small machine whose kernel has Bluetooth, for the live tests: Debian's kernel and packages and PyPI's Bumble in one initial RAM
file system, run by QEMU in software. Nothing is installed on the host, nothing of it needs root.

vm.py build                     downloads and packs what is missing, into ~/.cache/btscribe-vm or $BTSCRIBE_VM
vm.py run [options] -- COMMAND  runs a shell command in the machine; its status is the command's

  --share DIR       stands read-write at /share in the guest and is the command's folder
  --traffic KIND    replay, gatt, flood, unplug, host or idle (guest/traffic.py says what they do); default idle
  --arguments TEXT  for the traffic
  --user            the command runs as an ordinary user
  --capability NAME=FILE   FILE is copied to /run/bin with this capability first (again and again)
  --hold            the traffic waits for a file /run/go
  --limit SECONDS   of the whole machine, 600
"""
import argparse
import hashlib
import lzma
import os
import pathlib
import re
import shlex
import shutil
import stat
import struct
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent
root = here.parent.parent
cache = pathlib.Path(os.environ.get("BTSCRIBE_VM") or pathlib.Path.home() / ".cache/btscribe-vm")

PACKAGES = ["busybox-static", "bash", "bluez", "tcpdump", "python3-minimal", "libpython3-stdlib", "libcap2-bin", "util-linux", "libstdc++6",
            "libpcap0.8", "libyaml-0-2", "zlib1g", "dbus"]
PYTHON = ["bumble==0.0.236", "pyee", "typing_extensions"]
MODULES = ["virtio_pci", "virtio_rng", "9p", "9pnet_virtio", "cmac", "ecb", "ecdh_generic", "algif_hash", "algif_skcipher", "bluetooth", "hci_vhci"]
# Files of packages that are not needed in a machine without maintainer scripts.
LEFT_OUT = re.compile(r"\./(usr/share/(doc|man|locale|lintian|bug|perl5|zsh|bash-completion|info|python3/debpython)|usr/lib/udev|boot|"
                      r"usr/lib/x86_64-linux-gnu/perl|var|etc/(init\.d|cron.*|pam\.d)|usr/lib/systemd)(/|$)")


def sh(*command, **options):
    return subprocess.run(command, check=True, **options)


def stamp():
    text = repr((PACKAGES, PYTHON, MODULES)) + "".join(p.read_text() for p in (here / "vm.py", here / "guest/init"))
    return hashlib.sha256(text.encode()).hexdigest()


# -- the image ------------------------------------------------------------------------------------------------------

def download(folder):
    """Downloads the packages and their dependencies as .deb files; apt gets an empty list of installed packages."""
    (folder / "partial").mkdir(parents=True, exist_ok=True)
    (cache / "status").write_text("")
    options = ["-qq", "-y", "--no-install-recommends", "--download-only", "-o", "Debug::NoLocking=1", "-o", f"Dir::State::status={cache}/status",
               "-o", f"Dir::Cache::archives={folder}", "-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache="]
    if os.getuid() == 0:
        options += ["-o", "APT::Sandbox::User=root"]
    try:
        sh("apt-get", *options, "install", *PACKAGES, stdout=subprocess.DEVNULL)
    except subprocess.CalledProcessError:
        sh("apt-get", "update", "-qq")
        sh("apt-get", *options, "install", *PACKAGES, stdout=subprocess.DEVNULL)
    depends = sh("apt-cache", "depends", "linux-image-amd64", capture_output=True, text=True).stdout
    kernel = re.search(r"Depends: (linux-image-\S+-amd64)", depends).group(1)
    if not list(folder.glob(f"{kernel}_*.deb")):
        for old in folder.glob("linux-image-*.deb"):
            old.unlink()
        sh("apt-get", "-qq", "-o", f"APT::Sandbox::User={'root' if os.getuid() == 0 else ''}", "download", kernel, cwd=folder)
    return kernel


def unpack(deb, into):
    """Unpacks a package's files without running its scripts; bin, sbin and lib are links to usr."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(deb)], stdout=subprocess.PIPE) as tar:
        sh("tar", "-x", "-C", str(into), "--keep-directory-symlink", "--no-same-owner", stdin=tar.stdout)


def kernel_image(compressed):
    """The ELF kernel inside a bzImage: QEMU starts it directly, while unpacking in the guest would take seconds."""
    at = compressed.find(b"\xfd7zXZ\0")
    if at >= 0:
        image = lzma.LZMADecompressor().decompress(compressed[at:])
        if image[:4] == b"\x7fELF":
            return image
    return compressed


def modules(folder, wanted):
    """Paths of the wanted modules and their dependencies, in the order in which they can be loaded."""
    files = {}
    for path in folder.rglob("*.ko*"):
        files[path.name.split(".ko")[0].replace("-", "_")] = path
    built_in = {pathlib.Path(line).stem.replace("-", "_") for path in folder.rglob("modules.builtin") for line in path.read_text().split()}
    order = []

    def content(path):
        return lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()

    def add(name):
        name = name.replace("-", "_")
        if name in built_in or name in [n for n, _ in order]:
            return
        data = content(files[name])
        for dependency in re.search(rb"\0depends=([^\0]*)\0", data).group(1).decode().split(","):
            if dependency:
                add(dependency)
        order.append((name, data))
    for name in wanted:
        add(name)
    return order


def pack(folder, path):
    """Packs a folder as a cpio archive in the kernel's format (newc)."""
    with open(path, "wb") as out:
        def entry(name, mode, data=b"", major=0, minor=0):
            head = [entry.number, mode, 0, 0, 1, 0, len(data), 0, 0, major, minor, len(name.encode()) + 1, 0]
            entry.number += 1
            text = b"070701" + b"".join(b"%08X" % n for n in head) + name.encode() + b"\0"
            out.write(text + bytes(-len(text) % 4) + data + bytes(-len(data) % 4))
        entry.number = 1
        entry("dev/console", stat.S_IFCHR | 0o600, major=5, minor=1)
        for path in sorted(folder.rglob("*")):
            name, mode = str(path.relative_to(folder)), path.lstat().st_mode
            if stat.S_ISLNK(mode):
                entry(name, mode, os.readlink(path).encode())
            elif stat.S_ISDIR(mode):
                entry(name, mode)
            elif stat.S_ISREG(mode):
                entry(name, mode, path.read_bytes())
        entry("TRAILER!!!", 0)


def build():
    started = time.time()
    cache.mkdir(parents=True, exist_ok=True)
    mark = cache / "stamp"
    if mark.exists() and mark.read_text() == stamp() and (cache / "image.cpio").exists():
        return
    mark.unlink(missing_ok=True)
    kernel = download(cache / "packages")
    tree, bare = cache / "tree", cache / "kernel"
    for folder in (tree, bare):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    for name in ("bin", "sbin", "lib", "lib64"):
        (tree / "usr" / name).mkdir(parents=True)
        (tree / name).symlink_to(f"usr/{name}")
    for name in ("proc", "sys", "dev", "run", "tmp", "etc", "share", "setup", "modules", "opt/python"):
        (tree / name).mkdir(parents=True)
    for deb in sorted((cache / "packages").glob("*.deb")):
        if deb.name.startswith(f"{kernel}_"):
            unpack(deb, bare)
        elif not deb.name.startswith(("linux-image", "perl", "libperl", "debconf", "dpkg_", "udev_", "tzdata")):
            unpack(deb, tree)
    for path in sorted(tree.rglob("*"), reverse=True):
        if LEFT_OUT.match("./" + str(path.relative_to(tree))):
            path.unlink() if path.is_symlink() or not path.is_dir() else shutil.rmtree(path)
    version = next((tree / "usr/bin").glob("python3.[0-9]*")).name
    sh(sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--disable-pip-version-check", "--root-user-action", "ignore", "--target", str(tree / "opt/python"),
       "--python-version", version[len("python"):], "--only-binary=:all:", *PYTHON)
    for unused in ("bumble/pandora", "bumble/vendor", "bumble/apps"):
        shutil.rmtree(tree / "opt/python" / unused, ignore_errors=True)
    for cached in tree.rglob("__pycache__"):
        shutil.rmtree(cached)
    # Compile to byte code here, because the guest is slow.
    loader = next(iter((tree / "usr/lib/x86_64-linux-gnu").glob("ld-linux-x86-64.so.2")))
    subprocess.run([loader, "--library-path", str(tree / "usr/lib/x86_64-linux-gnu"), str(tree / "usr/bin" / version), "-m", "compileall", "-q",
                    "-s", str(tree), "-p", "/", str(tree / "opt/python"), str(tree / "usr/lib" / version)],
                   env={"PYTHONHOME": str(tree / "usr")}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for number, (name, data) in enumerate(modules(bare / "lib/modules", MODULES)):
        (tree / f"modules/{number:02}-{name}.ko").write_bytes(data)
    (tree / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\nsomebody:x:1000:1000::/tmp:/bin/sh\ntcpdump:x:104:104::/tmp:/bin/sh\nmessagebus:x:105:105::/run:/bin/sh\n")
    (tree / "etc/group").write_text("root:x:0:\nsomebody:x:1000:\ntcpdump:x:104:\nmessagebus:x:105:\nbluetooth:x:106:\n")
    (tree / "etc/ld.so.conf").write_text("/usr/lib/x86_64-linux-gnu\n")
    shutil.copy(here / "guest/init", tree / "init")
    (tree / "init").chmod(0o755)
    (cache / "vmlinux").write_bytes(kernel_image(next((bare / "boot").glob("vmlinuz-*")).read_bytes()))
    pack(tree, cache / "image.cpio")
    for folder in (tree, bare):
        shutil.rmtree(folder)
    mark.write_text(stamp())
    print(f"vm: {kernel}, image of {(cache / 'image.cpio').stat().st_size >> 20} MB, made in {time.time() - started:.0f} s", file=sys.stderr)


# -- a run ----------------------------------------------------------------------------------------------------------

def run(command, share=".", traffic="idle", arguments="", user=False, capabilities=(), hold=False, limit=600, counts=False):
    """Runs a shell command in the machine; returns (status, standard output, standard error, the traffic's log). With `counts`, the machine has one
    processor, and its clock counts instructions, 10⁹ a second; while it waits, time passes at once."""
    share = pathlib.Path(share).resolve()
    with tempfile.TemporaryDirectory(prefix="btscribe-vm-") as name:
        setup = pathlib.Path(name)
        setup.chmod(0o755)
        for path in list((here / "guest").iterdir()) + list((root / "Samples").glob("*.py")) + list((root / "Samples").glob("*.btsnoop")):
            if path.is_file():
                shutil.copy(path, setup)
        (setup / "command").write_text(command)
        (setup / "settings").write_text(f"traffic={shlex.quote(traffic)}\narguments={shlex.quote(arguments)}\nuser={int(user)}\nhold={int(hold)}\n"
                                        f"capabilities={shlex.quote(' '.join(capabilities))}\nclock={int(time.time())}\n")
        console = setup / "console"
        processors = ["-accel", os.environ.get("BTSCRIBE_VM_ACCEL", "tcg,thread=multi"), "-smp", "2"]
        if counts:
            processors = ["-accel", "tcg,thread=single", "-icount", "shift=0,sleep=off", "-smp", "1"]
        try:
            subprocess.run(
                ["qemu-system-x86_64", *processors, "-cpu", "max", "-machine", "q35",
                 "-m", "1024", "-nodefaults", "-display", "none", "-no-reboot", "-serial", f"file:{console}",
                 "-kernel", str(cache / "vmlinux"), "-initrd", str(cache / "image.cpio"), "-device", "virtio-rng-pci",
                 "-append", "console=ttyS0 quiet panic=-1 mitigations=off random.trust_cpu=on cryptomgr.notests=1",
                 "-virtfs", f"local,path={setup},mount_tag=setup,security_model=none,multidevs=remap",
                 "-virtfs", f"local,path={share},mount_tag=share,security_model=none,multidevs=remap"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=limit)
        except subprocess.TimeoutExpired:
            pass
        read = lambda name: (setup / name).read_text(errors="replace") if (setup / name).exists() else ""
        if not read("status").strip():
            raise RuntimeError(f"the machine did not come to an end:\n{read('console')[-2000:]}\n"
                               f"{read('traffic.log')[-2000:]}\n{read('out')[-1000:]}\n{read('err')[-1000:]}")
        return int(read("status")), read("out"), read("err"), read("traffic.log")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("what", choices=("build", "run"))
    parser.add_argument("--share", default=".")
    parser.add_argument("--traffic", default="idle")
    parser.add_argument("--arguments", default="")
    parser.add_argument("--user", action="store_true")
    parser.add_argument("--capability", action="append", default=[])
    parser.add_argument("--hold", action="store_true")
    parser.add_argument("--limit", type=float, default=600)
    words, command = sys.argv[1:], []
    if "--" in words:
        words, command = words[:words.index("--")], words[words.index("--") + 1:]
    given = parser.parse_args(words)
    build()
    if given.what == "run":
        started = time.time()
        status, out, err, log = run(" ".join(command), given.share, given.traffic, given.arguments, given.user, given.capability, given.hold,
                                    given.limit)
        sys.stdout.write(out)
        sys.stderr.write(err)
        print(f"vm: traffic: {log.strip()[-600:]}\nvm: status {status}, {time.time() - started:.1f} s", file=sys.stderr)
        sys.exit(status)


if __name__ == "__main__":
    main()
