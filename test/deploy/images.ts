import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { whyMissing } from "../support/missing.js";

/** Why images cannot be built and run here, and how to enable it; `undefined` if they can. */
export const whyNoImages = (): string | undefined =>
  process.env.IMAGES === undefined
    ? "Building images takes a while: IMAGES=1 enables it"
    : process.platform !== "linux" || process.getuid?.() !== 0
      ? "Building and running images needs Linux and root"
      : whyMissing({ buildah: "buildah", strip: "binutils", unshare: "util-linux" });

const inspected = z.object({
  Docker: z.object({
    config: z.object({
      User: z.string(),
      Env: z.array(z.string()),
      Entrypoint: z.array(z.string()),
      WorkingDir: z.string(),
      StopSignal: z.string(),
      ExposedPorts: z.record(z.string(), z.unknown()).optional(),
      Healthcheck: z.looseObject({ Test: z.array(z.string()) }).optional(),
      Labels: z.record(z.string(), z.string()),
    }),
  }),
});

/** An image's configuration. */
export type ImageConfig = z.infer<typeof inspected>["Docker"]["config"];

/** A built image and its root file system. */
export interface Image {
  readonly config: ImageConfig;
  readonly root: string;
  /** The command that runs `words` (default: the entry point) like a container runtime: as the image's user, on a read-only root. */
  command(...words: readonly string[]): readonly string[];
}

/** Path of the accounts file inside a container. */
export const ACCOUNTS_INSIDE = join("/", "tmp", "accounts.json");

/** Mounts like a container runtime, in a mount namespace that ends with the process, and switches to user 65532. */
const RUN = `
  root=$1 folder=$2 state=$3 accounts=$4; shift 4
  mount --bind "$root" "$root" && mount -o remount,ro,bind "$root"
  mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
  if [ -n "$accounts" ]; then install -o 65532 -g 65532 -m 600 "$accounts" "$root${ACCOUNTS_INSIDE}"; fi
  mount --rbind /proc "$root/proc"
  mount -t tmpfs tmpfs "$root/dev" && : > "$root/dev/null" && mount --bind /dev/null "$root/dev/null"
  if [ -n "$state" ]; then mount -t tmpfs -o mode=700,uid=65532,gid=65532 tmpfs "$root$state"; fi
  exec unshare --root="$root" --wd="$folder" --setgid=65532 --setuid=65532 -- "$@"`;

/** A separate image store, without a daemon or registry. */
export class ImageStore {
  readonly #folder = mkdtempSync(join(tmpdir(), "images-"));

  readonly #options = ["--root", join(this.#folder, "root"), "--runroot", join(this.#folder, "run"), "--storage-driver", "vfs"];

  /** A shell function that replaces `buildah build` and builds in this store, without a separate namespace. */
  readonly shell = `buildah() { shift; command buildah ${this.#options.join(" ")} build --isolation chroot --quiet "$@"; }\n`;

  #buildah(...words: readonly string[]): string {
    return execFileSync("buildah", [...this.#options, ...words], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  }

  /** Opens an image of this store. Its containers find the file `accounts` at `ACCOUNTS_INSIDE`, readable only by their user. */
  image(tag: string, accounts = ""): Image {
    const { config } = inspected.parse(JSON.parse(this.#buildah("inspect", "--type", "image", tag))).Docker;
    const root = this.#buildah("mount", this.#buildah("from", "--pull-never", tag));
    const state = config.WorkingDir.startsWith("/var/lib/") ? config.WorkingDir : "";
    const folder = config.WorkingDir === "" ? "/" : config.WorkingDir;
    return {
      config,
      root,
      command: (...words) => [
        ...["unshare", "--mount", "sh", "-euc", RUN, "run", root, folder, state, accounts],
        ...(words.length === 0 ? config.Entrypoint : words),
      ],
    };
  }

  remove(): void {
    this.#buildah("rm", "--all");
    this.#buildah("rmi", "--all", "--force");
    rmSync(this.#folder, { recursive: true });
  }
}
