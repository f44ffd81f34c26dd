/**
 * Signatures of packers as standard YARA rules: first bytes of stubs, and section names. Each string applies
 * only at the entry point. packers.ts parses a subset of the language, with one statement a line.
 */
export const PACKER_RULES = `import "pe"

rule aspack {
  meta:
    packer = "ASPack"
  strings:
    $entry = { 60 E8 03 00 00 00 E9 EB 04 5D 45 55 C3 E8 01 00 00 00 EB }
  condition:
    $entry at pe.entry_point or
    for any part in pe.sections : (part.name == ".aspack")
}

rule alienyze {
  meta:
    packer = "Alienyze"
  condition:
    for any part in pe.sections : (part.name == ".alien")
}

rule amber {
  meta:
    packer = "Amber"
  strings:
    $entry = { 83 EC 0C C7 05 94 53 40 00 01 00 00 00 E8 9E 02 00 00 83 C4 0C E9 }
  condition:
    $entry at pe.entry_point
}

rule bero {
  meta:
    packer = "BeRoEXEPacker"
  strings:
    $entry = { 60 68 ?? ?? ?? ?? 68 ?? ?? ?? ?? 68 ?? ?? ?? ?? E8 ?? ?? ?? ?? FC BE ?? ?? ?? ?? B9 04 00 00 00 }
  condition:
    $entry at pe.entry_point or
    for any part in pe.sections : (part.name == "packerBY")
}

rule expressor {
  meta:
    packer = "EXpressor"
  strings:
    $entry = { 55 8B EC 81 EC ?? ?? 00 00 53 56 57 83 A5 ?? ?? FF FF 00 F3 EB 0C 65 58 50 72 2D 76 }
  condition:
    $entry at pe.entry_point or
    for any part in pe.sections : (part.name == ".ex_cod")
}

rule eronana {
  meta:
    packer = "Eronana packer"
  strings:
    $entry = { 60 68 ?? ?? ?? ?? E8 ?? ?? FF FF 89 45 FC 61 FF 65 FC }
  condition:
    $entry at pe.entry_point
}

rule exe32pack {
  meta:
    packer = "exe32pack"
  strings:
    $entry = { 3B C0 74 02 81 83 55 3B C0 74 02 81 83 53 3B C9 74 01 BC 56 }
  condition:
    $entry at pe.entry_point
}

rule fsg {
  meta:
    packer = "FSG"
  strings:
    $first = { BB ?? ?? ?? ?? BF ?? ?? ?? ?? BE ?? ?? ?? ?? 53 E8 0A 00 00 00 02 D2 75 05 8A 16 46 12 D2 C3 }
    $second = { 87 25 ?? ?? ?? ?? 61 94 55 A4 B6 80 FF 13 }
  condition:
    $first at pe.entry_point or
    $second at pe.entry_point
}

rule jdpack {
  meta:
    packer = "JDPack"
  strings:
    $entry = { 60 E8 00 00 00 00 5D 8B D5 81 ED ?? ?? ?? ?? 2B 95 ?? ?? ?? ?? 81 EA 06 00 00 00 89 95 }
  condition:
    $entry at pe.entry_point or
    for any part in pe.sections : (part.name == ".jdpack")
}

rule mew {
  meta:
    packer = "MEW"
  strings:
    $entry = { E9 ?? ?? ?? FF 0C ?? ?? 00 00 00 00 00 00 00 00 00 00 }
  condition:
    $entry at pe.entry_point or
    for any part in pe.sections : (part.name == "MEW")
}

rule mpress {
  meta:
    packer = "MPRESS"
  strings:
    $entry = { 60 E8 00 00 00 00 58 05 ?? ?? 00 00 8B 30 03 F0 2B C0 8B FE 66 AD C1 E0 0C }
  condition:
    $entry at pe.entry_point or
    for any part in pe.sections : (part.name == ".MPRESS1")
}

rule molebox {
  meta:
    packer = "MoleBox"
  strings:
    $entry = { E8 00 00 00 00 60 E8 4F 00 00 00 }
  condition:
    $entry at pe.entry_point
}

rule nspack {
  meta:
    packer = "NSPack"
  strings:
    $entry = { 9C 60 E8 00 00 00 00 5D }
    $header = { E9 ?? ?? ?? ?? B4 09 BA 0B 01 CD 21 B4 4C CD 21 }
  condition:
    $entry at pe.entry_point or
    $header at pe.entry_point or
    for any part in pe.sections : (part.name == "nsp0") or
    for any part in pe.sections : (part.name == ".nsp0")
}

rule neolite {
  meta:
    packer = "NeoLite"
  strings:
    $entry = { E9 A6 00 00 00 ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? 00 00 00 00 ?? ?? 00 00 ?? ?? ?? ?? 4E 65 6F 4C 69 74 65 }
  condition:
    $entry at pe.entry_point or
    for any part in pe.sections : (part.name == ".neolit")
}

rule pecompact {
  meta:
    packer = "PECompact"
  strings:
    $entry = { B8 ?? ?? ?? ?? 50 64 FF 35 00 00 00 00 64 89 25 00 00 00 00 33 C0 89 08 50 45 43 }
  condition:
    $entry at pe.entry_point
}

rule petite {
  meta:
    packer = "PEtite"
  strings:
    $first = { B8 ?? ?? ?? ?? 6A 00 68 ?? ?? ?? ?? 64 FF 35 00 00 00 00 64 89 25 00 00 00 00 66 9C 60 50 }
    $second = { B8 ?? ?? ?? ?? 60 8D A8 ?? ?? ?? ?? 68 ?? ?? ?? ?? 6A 40 68 00 30 00 00 }
  condition:
    $first at pe.entry_point or
    $second at pe.entry_point or
    for any part in pe.sections : (part.name == ".petite")
}

rule packman {
  meta:
    packer = "Packman"
  strings:
    $entry = { 60 E8 00 00 00 00 5B 8D 5B C6 01 1B 8B 13 8D 73 14 6A 08 59 01 16 AD 49 75 FA }
  condition:
    $entry at pe.entry_point or
    for any part in pe.sections : (part.name == ".PACKMAN")
}

rule rlpack {
  meta:
    packer = "RLPack"
  strings:
    $entry = { 60 E8 00 00 00 00 8B 2C 24 83 C4 04 83 7C 24 28 01 75 0C }
  condition:
    $entry at pe.entry_point or
    for any part in pe.sections : (part.name == ".RLPack")
}

rule telock {
  meta:
    packer = "tElock"
  strings:
    $entry = { E9 ?? ?? FF FF 00 00 00 ?? ?? ?? ?? ?? ?? ?? 00 00 00 00 00 00 00 00 00 ?? ?? ?? 00 }
  condition:
    $entry at pe.entry_point
}

rule upx {
  meta:
    packer = "UPX"
  strings:
    $entry = { 60 BE ?? ?? ?? ?? 8D BE ?? ?? ?? FF 57 }
  condition:
    $entry at pe.entry_point or
    for any part in pe.sections : (part.name == "UPX0")
}

rule winupack {
  meta:
    packer = "WinUpack"
  strings:
    $first = { BE ?? ?? ?? ?? AD 50 FF 76 34 EB 7C 48 01 }
    $second = { 60 E8 09 00 00 00 ?? ?? ?? 00 E9 06 02 00 00 33 C9 5E 87 0E E3 F4 }
  condition:
    $first at pe.entry_point or
    $second at pe.entry_point or
    for any part in pe.sections : (part.name == ".Upack")
}

rule yoda_crypter {
  meta:
    packer = "yoda's Crypter"
  strings:
    $entry = { 55 8B EC 53 56 57 60 E8 00 00 00 00 5D 81 ED ?? ?? ?? ?? B9 ?? ?? ?? ?? 81 E9 }
  condition:
    $entry at pe.entry_point or
    for any part in pe.sections : (part.name == "yC")
}

rule yoda_protector {
  meta:
    packer = "yoda's Protector"
  strings:
    $entry = { E8 03 00 00 00 EB 01 ?? BB 55 00 00 00 E8 03 00 00 00 EB 01 ?? E8 8F 00 00 00 }
  condition:
    $entry at pe.entry_point or
    for any part in pe.sections : (part.name == ".yP")
}
`;
