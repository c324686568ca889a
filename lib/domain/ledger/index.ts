/** Public API of this module; other modules import only this file. */
export * from './apply-ledger.ts'
export {
  CLOCK_TOLERANCE_MS,
  chainEntry,
  changesBoards,
  compareVersions,
  describeAction,
  digestReceipts,
  digestRun,
  findBrokenLink,
  findChangedEntry,
  LEDGER_KINDS,
  type LedgerAction,
  type LedgerDraft,
  type LedgerEntry,
  type LedgerKind,
  ledgerActionSchema,
  ledgerDraftSchema,
  ledgerEntrySchema,
  type RegisteredRun,
  registeredPlanSchema,
  registeredRunSchema,
  targetKind,
} from './ledger-entry.ts'
export * from './ledger-words.ts'
export * from './read-registrations.ts'
export { type CorrectionTarget, refuseCorrection } from './refuse-correction.ts'
export * from './registrations.ts'
export * from './signed-head.ts'
export {
  formatVoucher,
  isSameOwner,
  isSameSender,
  type Sender,
  senderOfActor,
  THIS_SERVER,
  USER_ACCOUNT,
  type Voucher,
  voucherKey,
  voucherOfActor,
  voucherSchema,
} from './voucher.ts'
