// Vitest evaluates this module for each test file, and what it imports once per process.
import './quick-plugins.ts'
import './quick-workflows.ts'
