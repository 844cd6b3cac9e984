// Written by hashes.py.

#define REPORT_STYLE_HASH "3yETqXLL+mya3EDg9p1MkKPEvO9vTWCZfGsGCa7tPXk="
#define REPORT_SCRIPT_HASH "4uMtlcmcfHXpjnA4B9QuHXyCKj0yIp7radpivZf5/v4="
