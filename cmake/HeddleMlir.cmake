# Finds MLIR/LLVM 22 and rewrites Debian's imported targets for a static link.
#
# Debian's MLIR archives name the shared libLLVM (and some libMLIR) in their
# INTERFACE_LINK_LIBRARIES, so a naive link gives a hybrid with two copies of
# LLVM's registries. The loop below removes those names and LLVM_STATIC_LIBS
# supplies the components instead. A static tool also starts five times faster.

find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
set(LLVM_LINK_LLVM_DYLIB OFF)

llvm_map_components_to_libnames(HEDDLE_LLVM_LIBS
  core support passes nvptxcodegen nvptxdesc nvptxinfo irreader asmparser
  bitwriter linker frontendopenmp frontendopenacc frontendoffloading)
list(REMOVE_ITEM HEDDLE_LLVM_LIBS LLVM)

foreach(target ${MLIR_EXPORTED_TARGETS})
  if(TARGET ${target})
    get_target_property(type ${target} TYPE)
    get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
    if(type STREQUAL "STATIC_LIBRARY" AND links)
      list(FILTER links EXCLUDE REGEX "^(LLVM|MLIR)$|LINK_ONLY:(LLVM|MLIR)>")
      set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${links}")
    endif()
  endif()
endforeach()

# LLVMSupport names libz3.so and the shared compression libraries.
find_library(HEDDLE_ZLIB NAMES libz.a REQUIRED)
find_library(HEDDLE_ZSTD NAMES libzstd.a REQUIRED)
get_target_property(links LLVMSupport INTERFACE_LINK_LIBRARIES)
list(FILTER links EXCLUDE REGEX "libz3|ZLIB::ZLIB|zstd::")
set_target_properties(LLVMSupport PROPERTIES
  INTERFACE_LINK_LIBRARIES "${links};${HEDDLE_ZLIB};${HEDDLE_ZSTD}")
