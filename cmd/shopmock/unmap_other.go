//go:build !linux

package main

// unmapProgram does nothing: which pages stay resident is left to the system.
func unmapProgram() {}
