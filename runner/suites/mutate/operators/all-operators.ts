import { BINARY_OPERATORS } from './binary.ts'
import { CALL_OPERATORS } from './call.ts'
import { LITERAL_OPERATORS } from './literal.ts'
import type { Operator } from './operator.ts'
import { REGEX_OPERATORS } from './regex.ts'
import { STATEMENT_OPERATORS } from './statement.ts'
import { UNARY_OPERATORS } from './unary.ts'

/** Raise it with every change of what the operators do: figures made by other operators are told as stale. */
export const OPERATORS_VERSION = 2

export const ALL_OPERATORS: readonly Operator[] = [
  ...BINARY_OPERATORS,
  ...UNARY_OPERATORS,
  ...STATEMENT_OPERATORS,
  ...LITERAL_OPERATORS,
  ...CALL_OPERATORS,
  ...REGEX_OPERATORS,
]
