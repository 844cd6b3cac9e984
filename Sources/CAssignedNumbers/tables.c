#include "assigned_numbers.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char companies[] = {
#embed "Tables/companies.txt"
};
struct assigned_numbers assigned_companies(void) { return (struct assigned_numbers){companies, sizeof companies}; }

static const unsigned char uuids16[] = {
#embed "Tables/uuids16.txt"
};
struct assigned_numbers assigned_uuids16(void) { return (struct assigned_numbers){uuids16, sizeof uuids16}; }

static const unsigned char uuids128[] = {
#embed "Tables/uuids128.txt"
};
struct assigned_numbers assigned_uuids128(void) { return (struct assigned_numbers){uuids128, sizeof uuids128}; }

static const unsigned char appearances[] = {
#embed "Tables/appearances.txt"
};
struct assigned_numbers assigned_appearances(void) { return (struct assigned_numbers){appearances, sizeof appearances}; }
