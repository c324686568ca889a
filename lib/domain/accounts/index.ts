/** Public API of this module; other modules import only this file. */
export * from './account.ts'
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
export * from './password.ts'
export * from './sign-in.ts'
