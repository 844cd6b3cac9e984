# On a fresh machine with Swift and git, make demo and make test are the only commands that are needed.

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
SAMPLE ?= Samples/gopro.btsnoop
# The sample files that the manual mentions.
EXAMPLES = $(wildcard Samples/*.btsnoop Samples/*.keys Samples/*.ksy Samples/*.pcapng Samples/*.pklg Samples/*.yaml) Samples/README.md

# The scripts that turn many logs into tables, and the generator of example logs.
FLEET = Samples/fleet

# Where the release is built. A folder of its own lets it be built while .build is in use.
SCRATCH ?= .build

# .ci/swiftc adds the optimisation flags of each module. SwiftPM looks for the compiler's libraries beside the compiler.
TOOLCHAIN := $(CURDIR)/.build/toolchain
RELEASE := SWIFT_EXEC="$(TOOLCHAIN)/bin/swiftc" $(SWIFT) build --scratch-path $(SCRATCH) -c release --product btscribe
BINARY = $(shell $(SWIFT) build --scratch-path $(SCRATCH) -c release --show-bin-path)/btscribe
# Tests of optimised modules that are built with -enable-testing: they take a fifth of the time of a debug build's tests (swift test).
TESTABLE := SWIFT_EXEC="$(TOOLCHAIN)/bin/swiftc" BTSCRIBE_TESTABLE=1 $(SWIFT)
TESTED := --scratch-path .build-tests -c release --disable-xctest
SOURCES := Package.swift Sources Tests

.PHONY: demo test tests toolchain release lint format man samples transcripts bench test-live install uninstall libraries deb dist site clean

demo:
	@[ -x "$(BINARY)" ] || echo "Building btscribe; the first time this takes some minutes."
	@$(MAKE) --no-print-directory release
	@echo "$(BINARY) timeline $(SAMPLE)"
	@$(BINARY) timeline $(SAMPLE)

test: tests
	$(TESTABLE) test --skip-build $(TESTED)

# Builds the tests, and the program beside them.
tests: toolchain libraries
	$(TESTABLE) build --build-tests $(TESTED)

release: toolchain libraries
	$(RELEASE)

toolchain:
	@mkdir -p $(TOOLCHAIN)/bin
	@ln -sfn "$$($(SWIFT)c -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/swift".*|\1|p')" $(TOOLCHAIN)/lib
	@[ -x $(TOOLCHAIN)/bin/swiftc ] || printf '#!/bin/sh\nexec "%s" "$$@"\n' "$(CURDIR)/.ci/swiftc" >$(TOOLCHAIN)/bin/swiftc
	@chmod +x $(TOOLCHAIN)/bin/swiftc

libraries:
	@sh .ci/need libpcap-dev libsqlite3-dev libssl-dev libyaml-dev zlib1g-dev pkg-config

lint:
	$(SWIFT) format lint --strict --recursive $(SOURCES)

format:
	$(SWIFT) format --in-place --recursive $(SOURCES)

# The manual is generated from the commands' help.
man: release
	python3 man/make-manual.py $(BINARY) > man/btscribe.1.new && mv man/btscribe.1.new man/btscribe.1
	python3 man/make-manual.py $(BINARY) filter > man/btscribe-filter.5.new && mv man/btscribe-filter.5.new man/btscribe-filter.5

samples:
	python3 Samples/make.py

# Writes the expected output of every transcript anew; read the diff before you commit it.
transcripts: tests
	BTSCRIBE_REWRITE=1 $(TESTABLE) test --skip-build $(TESTED) --filter TranscriptTests

bench: release
	python3 Tests/Benchmarks/speed.py $(BINARY)
	python3 Tests/Benchmarks/filters.py $(BINARY)

test-live: release
	Tests/Live/run $(BINARY)

install: release
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/man/man5 $(DESTDIR)$(PREFIX)/share/man/man7
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions
	install -d $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -m 755 -s $(BINARY) $(DESTDIR)$(PREFIX)/bin/btscribe
	install -m 644 man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	for page in man/*.5; do [ ! -e $$page ] || install -m 644 $$page $(DESTDIR)$(PREFIX)/share/man/man5; done
	install -m 644 man/*.7 $(DESTDIR)$(PREFIX)/share/man/man7
	install -d $(DESTDIR)$(PREFIX)/share/doc/btscribe/examples/Samples
	install -m 644 $(EXAMPLES) Samples/make_broken.py $(DESTDIR)$(PREFIX)/share/doc/btscribe/examples/Samples
	install -d $(DESTDIR)$(PREFIX)/share/doc/btscribe/examples/$(FLEET)/queries
	install -m 644 $(wildcard $(FLEET)/*.py $(FLEET)/*.txt) $(FLEET)/README.md $(DESTDIR)$(PREFIX)/share/doc/btscribe/examples/$(FLEET)
	install -m 644 $(wildcard $(FLEET)/queries/*.sql) $(DESTDIR)$(PREFIX)/share/doc/btscribe/examples/$(FLEET)/queries
	$(BINARY) --generate-completion-script bash | sed '1{/^#!/d;}' > $(DESTDIR)$(PREFIX)/share/bash-completion/completions/btscribe
	$(BINARY) --generate-completion-script zsh > $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_btscribe
	$(BINARY) --generate-completion-script fish > $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/btscribe.fish

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/btscribe $(DESTDIR)$(PREFIX)/share/man/man[157]/btscribe*.[157]
	rm -rf $(DESTDIR)$(PREFIX)/share/doc/btscribe
	rm -f $(DESTDIR)$(PREFIX)/share/bash-completion/completions/btscribe
	rm -f $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_btscribe
	rm -f $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/btscribe.fish

# Packages are reproducible: every clean build gives the same bytes.
deb dist: export BTSCRIBE_REPRODUCIBLE = 1

# A Debian package, .build/deb/btscribe_VERSION_ARCHITECTURE.deb, from the release; `dpkg-buildpackage -us -uc -b` makes the same.
deb: release
	@sh .ci/need debhelper po-debconf
	rm -rf .build/deb && mkdir -p .build/deb
	debian/rules binary DEB_FOLDER=$(CURDIR)/.build/deb
	debian/rules clean
	@ls -l .build/deb

# One program for any Linux with glibc of Debian 11 or newer, .build/dist/btscribe-VERSION-linux-ARCHITECTURE.tar.xz.
dist: release
	.ci/packaging/dist

# The manual as a static site, .build/site/index.html, with its links checked.
site: release
	@sh .ci/need mandoc
	python3 man/make-site.py $(BINARY) .build/site

clean:
	$(SWIFT) package clean
