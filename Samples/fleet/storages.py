"""Storages for tests only: S3 by moto, and a folder served like WebHDFS."""
import contextlib
import http.server
import json
import logging
import os
import pathlib
import threading
import urllib.parse


@contextlib.contextmanager
def s3(bucket):
    """An S3 server on this machine with an empty bucket: s3fs finds it through the environment. Yields the client."""
    from moto.server import ThreadedMotoServer
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    os.environ.update(
        AWS_ENDPOINT_URL=f"http://{host}:{port}", AWS_ACCESS_KEY_ID="test", AWS_SECRET_ACCESS_KEY="test", AWS_DEFAULT_REGION="us-east-1")
    try:
        import boto3
        client = boto3.client("s3")
        client.create_bucket(Bucket=bucket)
        yield client
    finally:
        server.stop()


class WebHDFS(http.server.BaseHTTPRequestHandler):
    """The WebHDFS calls for reading and writing files. Data are redirected, as to a data node."""
    protocol_version = "HTTP/1.1"
    root = None

    def log_message(self, *_):
        pass

    def answer(self, value=None, status=200, headers=()):
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        for name, text in [("Content-Type", "application/json"), ("Content-Length", str(len(body))), *headers]:
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    def missing(self, path):
        self.answer({"RemoteException": {
            "exception": "FileNotFoundException", "javaClassName": "java.io.FileNotFoundException", "message": f"File does not exist: {path}"
        }}, 404)

    def serve(self):
        url = urllib.parse.urlsplit(self.path)
        path = urllib.parse.unquote(url.path).removeprefix("/webhdfs/v1")
        asked = {name.lower(): value for name, value in urllib.parse.parse_qsl(url.query, keep_blank_values=True)}
        file = self.root / path.lstrip("/")
        length = int(self.headers.get("Content-Length") or 0)
        if asked["op"] in ("OPEN", "CREATE", "APPEND") and "node" not in asked:
            self.rfile.read(length)
            return self.answer(status=307, headers=[("Location", f"http://{self.headers['Host']}{self.path}&node=1")])
        getattr(self, asked["op"].lower(), self.unknown)(path, file, asked, length)

    do_GET = do_PUT = do_POST = serve

    def unknown(self, path, file, asked, length):
        self.answer({"RemoteException": {
            "exception": "UnsupportedOperationException", "javaClassName": "java.lang.UnsupportedOperationException", "message": asked["op"]
        }}, 400)

    def status(self, file, name):
        facts = file.stat()
        return {
            "pathSuffix": name, "type": "DIRECTORY" if file.is_dir() else "FILE", "length": 0 if file.is_dir() else facts.st_size,
            "modificationTime": int(facts.st_mtime * 1000), "accessTime": 0, "blockSize": 1 << 27, "replication": 1, "permission": "755",
            "owner": "test", "group": "test", "fileId": facts.st_ino, "childrenNum": 0, "storagePolicy": 0,
        }

    def getfilestatus(self, path, file, asked, length):
        self.answer({"FileStatus": self.status(file, "")}) if file.exists() else self.missing(path)

    def liststatus(self, path, file, asked, length):
        if not file.exists():
            return self.missing(path)
        listed = [self.status(one, one.name) for one in sorted(file.iterdir())] if file.is_dir() else [self.status(file, "")]
        self.answer({"FileStatuses": {"FileStatus": listed}})

    def open(self, path, file, asked, length):
        if not file.is_file():
            return self.missing(path)
        start = int(asked.get("offset", 0))
        data = file.read_bytes()[start:start + int(asked.get("length", 1 << 40))]
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def create(self, path, file, asked, length, mode="wb"):
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file, mode) as out:
            out.write(self.rfile.read(length))
        self.answer(status=201)

    def append(self, path, file, asked, length):
        self.create(path, file, asked, length, "ab")

    def mkdirs(self, path, file, asked, length):
        file.mkdir(parents=True, exist_ok=True)
        self.answer({"boolean": True})


@contextlib.contextmanager
def webhdfs(folder):
    """Serves a folder. Yields its URL."""
    handler = type("Handler", (WebHDFS,), {"root": pathlib.Path(folder)})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"webhdfs://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
