# Homebrew: brew install --build-from-source ./btscribe.rb
class Btscribe < Formula
  desc "Decodes Bluetooth captures into an annotated timeline"
  homepage "https://btscribe.example"
  url "https://btscribe.example/releases/btscribe-1.0-source.tar.gz"
  # Filled in when the release is made.
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"

  depends_on xcode: ["26.0", :build]
  depends_on "libyaml"
  depends_on macos: :tahoe

  uses_from_macos "libpcap"
  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  on_linux do
    depends_on "swift" => :build
    depends_on "openssl@3"
  end

  def install
    system "make", "install", "PREFIX=#{prefix}"
    pkgshare.install Dir["Samples/*.btsnoop"]
  end

  test do
    output = shell_output("#{bin}/btscribe summary #{pkgshare}/heart-rate.btsnoop")
    assert_match "Pulse HR 07", output
  end
end
