// Package examples holds the tests that run every configuration under examples/ as a user would.
package examples
