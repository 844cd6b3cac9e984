// Written by hashes.py.

#define REPORT_STYLE_HASH "WiHDpZ/BhqUhboaYUPpaIVH24X6SM8MaOwDbCu62e/4="
#define REPORT_SCRIPT_HASH "4uMtlcmcfHXpjnA4B9QuHXyCKj0yIp7radpivZf5/v4="
