/** Public API of this module; other modules import only this file. */
export * from './executor-settings.ts'
export * from './github-launch.ts'
export * from './kubernetes-job.ts'
export {
  countShards,
  engineName,
  executorSender,
  type RemoteManifest,
  remoteManifest,
  spendCapOfShard,
} from './manifest.ts'
export * from './remote-report.ts'
export * from './slurm-script.ts'
