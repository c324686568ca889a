/** Public API of this module; other modules import only this file. */
export {
  ARCHIVE_KIND,
  type Archive,
  type Flaw,
  findChainFlaws,
  ledgerDocumentSchema,
  type Manifest,
  manifestSchema,
  parseLedger,
  serializeLedger,
  streamLedger,
} from './archive.ts'
export {
  BACKUP_KIND,
  type BackupFile,
  type BackupManifest,
  backupManifestSchema,
} from './backup-manifest.ts'
export { checkArchive } from './check-archive.ts'
export { describeCopyReport } from './describe-copy-report.ts'
export { EVALUATIONS_FILE, EXPORTED_REGRADES, readArchive } from './read-archive.ts'
export { firstDifference, rebuildBoard } from './rebuild-board.ts'
export {
  COPY_ARCHIVE,
  COPY_MANIFEST,
  type CopyReport,
  checkCopy,
  copySignedText,
  describeCopy,
  parseCopyManifest,
} from './static-copy.ts'
