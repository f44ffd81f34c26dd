/**
 * Runs a process in its own namespaces, made with `unshare`. It can see and signal only its own processes, which all
 * end with the first one. It can write only to its folder and to a limited file system in memory.
 */
import { tmpdir } from "node:os";

/** Folders that every user of a machine may write to. */
export const SHARED_PLACES: readonly string[] = [...new Set(["/tmp", "/var/tmp", tmpdir()])];
export const SHARED_MEMORY = "/dev/shm";
/** Services of the machine have their sockets here. With a network, names may be resolved through it. */
const SERVICES = "/run";

/**
 * The function's folder may be below a hidden folder, so it is mounted elsewhere in the meantime. All other writable
 * mounts become read-only. In a namespace of its own, the function could mount file systems that nobody counts. Root has
 * no user namespace here, so the limit would be that of the machine. The shell stays as the first process, because it
 * must reap orphan processes.
 */
const ENCLOSE = `
folder=$1 own=$2 options=mode=1777,nosuid,nodev,size=$3 places=$4 hidden=$5 isRoot=$6; shift 6
line='
'
mount -t tmpfs -o "$options" tmpfs ${SHARED_MEMORY} && mkdir ${SHARED_MEMORY}/f && mount --bind "$folder" ${SHARED_MEMORY}/f || exit 125
set -f
IFS=$line
for place in $places $hidden; do
  [ ! -d "$place" ] || mount -t tmpfs -o "$options" tmpfs "$place" || exit 125
done
mkdir -p "$folder" && mount --bind ${SHARED_MEMORY}/f "$folder" && umount ${SHARED_MEMORY}/f && rmdir ${SHARED_MEMORY}/f || exit 125
mount --bind "$own" "$own" && mount -o remount,bind,ro "$folder" || exit 125
unset IFS
set +f
mount -t proc proc /proc 2>/dev/null
[ "$isRoot" = true ] || { echo 0 > /proc/sys/user/max_user_namespaces; } 2>/dev/null
while read -r _ place type options _; do
  case "$type:$options" in proc:*|sysfs:*|devpts:*|cgroup*|*:ro,*) continue;; esac
  case "$line$places$line${SHARED_MEMORY}$line$folder$line$own$line" in *"$line$place$line"*) continue;; esac
  mount -o remount,bind,ro,nosuid "$place" 2>/dev/null
done < /proc/self/mounts
"$@"
exit $?`;

type Enclosed = {
  /** Code and runner: read, not written. */
  readonly folder: string;
  /** A subfolder of `folder`. */
  readonly ownFolder: string;
  /** Folders that seem to be empty. */
  readonly hidden: readonly string[];
  /** Of each place that is memory. */
  readonly placeBytes: number;
  readonly hasNetwork: boolean;
  /** Others need the right to make a namespace of users first. */
  readonly isRoot: boolean;
};

export function inNamespaces(
  { folder, ownFolder, hidden, placeBytes, hasNetwork, isRoot }: Enclosed,
  command: readonly string[],
): string[] {
  if (hidden.some((path) => path.includes("\n")))
    throw new Error("A data folder with a line break in its path cannot be hidden from functions.");
  return [
    "unshare",
    ...(isRoot ? [] : ["--user", "--map-root-user"]),
    ...["--ipc", "--mount", "--pid", "--fork", "--kill-child=KILL"],
    ...(hasNetwork ? [] : ["--net"]),
    ...[
      "--",
      "/bin/sh",
      "-c",
      ENCLOSE,
      "sh",
      folder,
      ownFolder,
      String(placeBytes),
      SHARED_PLACES.join("\n"),
      [...(hasNetwork ? [] : [SERVICES]), ...hidden].join("\n"),
      String(isRoot),
    ],
    ...(isRoot
      ? command
      : ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", "--", ...command]),
  ];
}
