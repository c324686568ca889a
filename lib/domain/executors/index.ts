/** Public API of this module; other modules import only this file. */
export {
  configuredExecutors,
  EXECUTOR_TITLES,
  EXECUTORS,
  type ExecutorName,
  type Executors,
  type GithubSettings,
  type KubernetesSettings,
  MAX_REMOTE_SHARDS,
  parseExecutors,
  type SlurmSettings,
} from './executor-settings.ts'
export { githubLaunch, githubRunName } from './github-launch.ts'
export { kubernetesJob, kubernetesSecret } from './kubernetes-job.ts'
export {
  countShards,
  engineName,
  executorSender,
  type RemoteManifest,
  remoteManifest,
  spendCapOfShard,
} from './manifest.ts'
export {
  isShardOver,
  MAX_REPORT_BYTES,
  RUN_TOKEN,
  RUN_TOKEN_VARIABLE,
  SHARD_STATES,
  type ShardReply,
  type ShardReport,
  type ShardState,
  shardReplySchema,
  shardReportSchema,
} from './remote-report.ts'
export { SLURM_TOKEN_FILE, slurmScript } from './slurm-script.ts'
