// Kaitai
