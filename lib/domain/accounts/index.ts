/** Public API of this module; other modules import only this file. */
export {
  type Actor,
  CONSOLE_ACTOR,
  emailSchema,
  hasRole,
  newPasswordSchema,
  personNameSchema,
  ROLES,
  type Role,
  roleSchema,
  SCOPES,
  type Scope,
  SYSTEM_ACTOR,
} from './account.ts'
export {
  findForkProblem,
  findRuleProblem,
  type OidcRule,
  oidcRuleSchema,
  readAudience,
  toVouched,
  trimSlash,
  type Vouched,
  vouchedSchema,
  voucherOf,
  type WorkflowClaims,
  workflowClaimsSchema,
  writeAudience,
} from './oidc.ts'
export {
  findPasswordProblem,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  passwordStrength,
} from './password.ts'
export {
  ACCOUNT_RULE,
  ADDRESS_RULE,
  CROWD_RULE,
  countTry,
  formatLockOut,
  type LockRule,
  lockedMs,
  safeNext,
  type Tries,
} from './sign-in.ts'
