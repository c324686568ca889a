import type { SlurmSettings } from './executor-settings.ts'
import { engineName, type RemoteManifest, shardArguments } from './manifest.ts'
import { RUN_TOKEN_VARIABLE } from './remote-report.ts'

type Place = {
  /** The run's own folder below the shared one. */
  folder: string
  /** Command that starts Proofboard on a node. */
  command: readonly string[]
}

/** File with the token of a run, readable by its owner only. */
export const SLURM_TOKEN_FILE = 'token'

/**
 * Builds the array job of a run: one task per shard, by its number. A failed shard requeues itself (`scontrol
 * requeue`), as Slurm does when a node dies, until its tries are used up; exit code 2 is final.
 */
export function slurmScript(
  manifest: RemoteManifest,
  settings: SlurmSettings,
  { folder, command }: Place,
): string {
  const { shards } = manifest
  const { retries, secrets } = settings
  const words = [...command, ...shardArguments(manifest)].map(quote).join(' ')
  const read = (variable: string, file: string) =>
    `IFS= read -r ${variable} < ${quote(file)} || [ -n "$${variable}" ]; export ${variable}`
  return [
    '#!/bin/bash',
    `#SBATCH --job-name=${engineName(manifest)}`,
    ...optionsOf(settings, shards).map((option) => `#SBATCH ${option}`),
    `#SBATCH --chdir=${folder}`,
    `#SBATCH --output=${folder}/shard-%a.log`,
    '#SBATCH --open-mode=append',
    '#SBATCH --requeue',
    // Do not pass Proofboard's own environment to shards.
    '#SBATCH --export=NIL',
    // Gives a cancelled task time to store what it finished.
    '#SBATCH --signal=B:TERM@60',
    'set -u',
    'umask 077',
    `export PATH="\${PATH:-/usr/local/bin:/usr/bin:/bin}" HOME="\${HOME:-$PWD}"`,
    read(RUN_TOKEN_VARIABLE, `${folder}/${SLURM_TOKEN_FILE}`),
    ...secrets.map(({ variable, file }) => read(variable, file)),
    `export PROOFBOARD_HOST="\${SLURMD_NODENAME:-$HOSTNAME}"`,
    `export PROOFBOARD_DATA_DIR=${quote(`${folder}/data`)}-"$SLURM_ARRAY_TASK_ID"`,
    `${words} --shard "$SLURM_ARRAY_TASK_ID" --out ${quote(`${folder}/shard`)}-"$SLURM_ARRAY_TASK_ID" &`,
    'child=$!',
    'stopped=0',
    'trap \'stopped=1; kill -TERM "$child" 2>/dev/null\' TERM',
    'wait "$child"; code=$?',
    '# A signal ends the first wait before the child has ended.',
    'while kill -0 "$child" 2>/dev/null; do wait "$child"; code=$?; done',
    `if [ "$code" -ne 0 ] && [ "$code" -ne 2 ] && [ "$stopped" -eq 0 ] && [ "\${SLURM_RESTART_COUNT:-0}" -lt ${retries} ]; then`,
    `  scontrol requeue "\${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"`,
    'fi',
    'exit "$code"',
    '',
  ].join('\n')
}

function optionsOf(settings: SlurmSettings, shards: number): string[] {
  const { partition, account, qos, cpus, memory, hours, parallelism } = settings
  const most = parallelism !== undefined && parallelism < shards ? `%${parallelism}` : ''
  return [
    `--array=1-${shards}${most}`,
    `--cpus-per-task=${cpus}`,
    `--mem=${memory}`,
    `--time=${hours}:00:00`,
    ...(partition ? [`--partition=${partition}`] : []),
    ...(account ? [`--account=${account}`] : []),
    ...(qos ? [`--qos=${qos}`] : []),
  ]
}

/** Quotes one word for bash. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
