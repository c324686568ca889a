/** The 25 practice exercises that ts-bench runs by default. */
export const CURATED: readonly string[] = [
  'acronym', 'anagram', 'bank-account', 'binary-search', 'binary-search-tree', 'bowling', 'complex-numbers', 'connect',
  'crypto-square', 'diamond', 'dnd-character', 'flatten-array', 'food-chain', 'house', 'pascals-triangle',
  'rational-numbers', 'react', 'rectangles', 'relative-distance', 'robot-name', 'spiral-matrix', 'transpose',
  'two-bucket', 'variable-length-quantity', 'wordy',
]
