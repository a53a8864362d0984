//===- DataObject.cpp - An object file that holds data --------------------===//
//
// Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by hand, because heddle holds no code generator for the host:
//
//   header | .rodata | .symtab | .strtab | .shstrtab | section headers
//
// .bss and .note.GNU-stack take no place.
//
//===----------------------------------------------------------------------===//

#include "DataObject.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace heddle::tool;
using namespace llvm::ELF;

namespace {

enum Section : uint16_t {
  kNone,
  kRodata,
  kBss,
  kSymtab,
  kStrtab,
  kShstrtab,
  kStackNote,
  kSections
};
constexpr uint64_t kAlignment = 16;

/// A table of names that end in a zero; the first is empty.
struct Names {
  std::string text = std::string(1, '\0');

  uint32_t add(const std::string &name) {
    uint32_t offset = uint32_t(text.size());
    text += name;
    text += '\0';
    return offset;
  }
};

} // namespace

static uint16_t hostMachine() {
#if defined(__x86_64__)
  return EM_X86_64;
#elif defined(__aarch64__)
  return EM_AARCH64;
#else
#error "which ELF machine is this?"
#endif
}

template <class Struct>
static void append(std::string &to, const Struct &data) {
  to.append(reinterpret_cast<const char *>(&data), sizeof data);
}

static void pad(std::string &text) {
  text.resize(llvm::alignTo(text.size(), kAlignment), '\0');
}

static Elf64_Ehdr makeHeader(uint64_t sectionHeaders) {
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ElfMagic, 4);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_REL;
  header.e_machine = hostMachine();
  header.e_version = EV_CURRENT;
  header.e_shoff = sectionHeaders;
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = kSections;
  header.e_shstrndx = kShstrtab;
  return header;
}

std::string
heddle::tool::makeDataObject(const std::vector<DataSymbol> &symbols) {
  std::string constants, table(sizeof(Elf64_Sym), '\0');
  uint64_t zeroBytes = 0;
  Names names, sectionNames;
  for (const DataSymbol &symbol : symbols) {
    bool isConstant = symbol.zeroBytes == 0;
    Elf64_Sym entry = {};
    entry.st_name = names.add(symbol.name);
    entry.setBindingAndType(STB_GLOBAL, STT_OBJECT);
    entry.st_shndx = isConstant ? kRodata : kBss;
    entry.st_value = isConstant ? constants.size() : zeroBytes;
    entry.st_size = isConstant ? symbol.bytes.size() : symbol.zeroBytes;
    append(table, entry);
    constants += symbol.bytes;
    pad(constants);
    zeroBytes = llvm::alignTo(zeroBytes + symbol.zeroBytes, kAlignment);
  }

  Elf64_Shdr sections[kSections] = {};
  std::string body(sizeof(Elf64_Ehdr), '\0');
  auto place = [&](Section section, const char *name, uint32_t type,
                   uint64_t flags, uint64_t size, const std::string &bytes) {
    sections[section].sh_name = sectionNames.add(name);
    sections[section].sh_type = type;
    sections[section].sh_flags = flags;
    sections[section].sh_offset = body.size();
    sections[section].sh_size = size;
    sections[section].sh_addralign = kAlignment;
    body += bytes;
    pad(body);
  };
  place(kRodata, ".rodata", SHT_PROGBITS, SHF_ALLOC, constants.size(),
        constants);
  place(kBss, ".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, zeroBytes, "");
  place(kSymtab, ".symtab", SHT_SYMTAB, 0, table.size(), table);
  sections[kSymtab].sh_link = kStrtab;
  sections[kSymtab].sh_info = 1; // the first global symbol
  sections[kSymtab].sh_entsize = sizeof(Elf64_Sym);
  place(kStrtab, ".strtab", SHT_STRTAB, 0, names.text.size(), names.text);
  // Without it linkers make the stack executable.
  place(kStackNote, ".note.GNU-stack", SHT_PROGBITS, 0, 0, "");
  uint32_t own = sectionNames.add(".shstrtab");
  place(kShstrtab, "", SHT_STRTAB, 0, sectionNames.text.size(),
        sectionNames.text);
  sections[kShstrtab].sh_name = own;
  sections[kShstrtab].sh_size = sectionNames.text.size() - 1;

  Elf64_Ehdr header = makeHeader(body.size());
  std::memcpy(body.data(), &header, sizeof header);
  for (const Elf64_Shdr &section : sections)
    append(body, section);
  return body;
}
