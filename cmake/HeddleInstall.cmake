# What find_package(heddle) finds, under the folders where the libraries install.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_BINDIR bin)
set(CMAKE_INSTALL_LIBDIR lib)
set(CMAKE_INSTALL_INCLUDEDIR include)
set(package_folder lib/cmake/heddle)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/heddleConfig.cmake.in ${PROJECT_BINARY_DIR}/heddleConfig.cmake
  INSTALL_DESTINATION ${package_folder}
  PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/heddleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/heddleConfig.cmake ${PROJECT_BINARY_DIR}/heddleConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/HeddleKernels.cmake
  DESTINATION ${package_folder} COMPONENT heddle)
# What a program of tasks includes; nothing of heddle is linked to it.
install(FILES ${PROJECT_SOURCE_DIR}/include/heddle/task.h DESTINATION include/heddle COMPONENT heddle)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/heddle/task DESTINATION include/heddle COMPONENT heddle)
