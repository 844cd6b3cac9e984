/* floor FILE: what reading a log of phones costs at the least: one pass over a mapped btsnoop file that looks at every record's header
   and at the ATT opcode of every ACL packet, and adds up. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

static uint32_t big(const uint8_t *p) { return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]; }

int main(int count, char **arguments) {
    struct stat about;
    int file = count == 2 ? open(arguments[1], O_RDONLY) : -1;
    if (file < 0 || fstat(file, &about) != 0 || about.st_size < 16) return 66;
    const uint8_t *bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes == MAP_FAILED) return 74;
    madvise((void *)bytes, (size_t)about.st_size, MADV_SEQUENTIAL);
    uint64_t packets = 0, opcodes[256] = {0}, size = (uint64_t)about.st_size;
    for (uint64_t at = 16; at + 24 <= size;) {
        uint32_t kept = big(bytes + at + 4);
        const uint8_t *packet = bytes + at + 24;
        if (kept > size - at - 24) break;
        packets++;
        if (kept > 9 && packet[0] == 2 && packet[7] == 4 && packet[8] == 0) opcodes[packet[9]]++;
        at += 24 + (uint64_t)kept;
    }
    printf("%" PRIu64 " packets, %" PRIu64 " notifications\n", packets, opcodes[0x1b]);
    return 0;
}
