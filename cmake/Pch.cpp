// Carries the precompiled header (see HeddleTarget.cmake).
