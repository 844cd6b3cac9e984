// Written by hashes.py.

#define REPORT_STYLE_HASH "8DrqqNzvGQd8xzZkacVBSGJF6MSdwjuZx/hAGP0SMp0="
#define REPORT_SCRIPT_HASH "4uMtlcmcfHXpjnA4B9QuHXyCKj0yIp7radpivZf5/v4="
