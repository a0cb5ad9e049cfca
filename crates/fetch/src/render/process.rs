//! The browser's process: finding, starting and reliably ending it.
//!
//! The browser is controlled over a pair of pipes instead of a port. A port would be open to every user of the machine,
//! and a browser with a port outlives a program that is killed; with pipes it ends when they are closed, for whatever
//! reason. A shell between this program and the browser moves the pipes to the descriptors that the browser expects (3
//! and 4), which would otherwise need unsafe code, and removes the profile after the browser's end, even if this
//! program has ended.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::wire::Wire;
use super::{Config, RenderError};

/// Names of browser programs, most likely first.
const PROGRAMS: [&str; 5] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// Time limit for starting. A cold start on a busy machine takes some seconds.
const START: Duration = Duration::from_secs(30);

/// Shell script that moves the pipes, runs the browser and removes the profile (`$0`).
const SCRIPT: &str = r#"exec 3<&0 4>&1 </dev/null >/dev/null; "$@"; rm -rf -- "$0""#;

/// Flags for every browser: no background network traffic, no prompts.
pub(super) const FLAGS: [&str; 25] = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    // Containers have a small /dev/shm, in which pages crash.
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    // Run timers as in a visible window.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    // Run frames of other sites in the page's own process: this saves memory and makes their requests visible.
    // Isolation would protect nothing, since the browser has no cookies but those of this page.
    "--disable-features=IsolateOrigins,site-per-process,MediaRouter,OptimizationHints,Translate",
    "--disable-site-isolation-trials",
    "--dns-prefetch-disable",
    // WebRTC would send UDP around the guard. Chromium has renamed this switch once and ignores names it does not know,
    // so both are passed, and every document loses WebRTC as well (`page::PREPARE`).
    WEBRTC_POLICY,
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--metrics-recording-only",
    "--mute-audio",
    "--password-store=basic",
];

/// Flag that forbids WebRTC to send UDP that bypasses the proxy.
pub(super) const WEBRTC_POLICY: &str = "--webrtc-ip-handling-policy=disable_non_proxied_udp";

/// A running browser. Dropping it ends the browser and its pages and removes its profile.
pub(super) struct Process {
    pub(super) wire: Wire,
    child: Child,
    profile: Profile,
}

impl Process {
    /// Starts the browser and waits until it answers.
    pub(super) async fn start(config: &Config) -> Result<Process, RenderError> {
        Process::start_with(config, &FLAGS).await
    }

    /// Starts the browser with these flags; tests leave some out.
    async fn start_with(config: &Config, flags: &[&str]) -> Result<Process, RenderError> {
        let program = program(config).ok_or(RenderError::NoBrowser)?;
        let failed = |cause: String| RenderError::Start { program: program.to_string_lossy().into_owned(), cause };
        let profile = Profile::make().map_err(|error| failed(format!("no folder for its profile: {error}")))?;
        let mut command = Command::new("sh");
        command.arg("-c").arg(SCRIPT).arg(&profile.folder).arg(&program).args(flags);
        let mut user_data = OsString::from("--user-data-dir=");
        user_data.push(&profile.folder);
        command.arg(user_data);
        command.arg(format!("--window-size={},{}", config.window.0, config.window.1));
        if let Some(user_agent) = &config.user_agent {
            command.arg(format!("--user-agent={user_agent}"));
        }
        if is_root() {
            command.arg("--no-sandbox");
        }
        // Requests outside our pages go to a proxy port that nobody listens on.
        command.arg("--proxy-server=http://127.0.0.1:1").arg("about:blank");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
        let (Some(input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(failed("its pipes could not be opened".to_owned()));
        };
        let last_words = listen(errors);
        // A document has at most `max_size` bytes, each of which takes at most six in JSON (`\\u0000`). Other messages,
        // such as those about data: URLs, may be arbitrarily long; they are not needed.
        let wire = Wire::open(BufReader::new(output), input, config.max_size.saturating_mul(6).saturating_add(1 << 24));
        let process = Process { wire, child, profile };
        let hello = process.wire.call(None, "Target.setDiscoverTargets", json!({ "discover": true }));
        match tokio::time::timeout(START, hello).await {
            Ok(Ok(_)) => Ok(process),
            Ok(Err(_)) => {
                let words = last_words.lock().unwrap_or_else(PoisonError::into_inner).clone();
                Err(failed(if words.is_empty() { "it ended immediately".to_owned() } else { words }))
            }
            Err(_) => Err(failed(format!("no answer within {} s", START.as_secs()))),
        }
    }

    /// Shuts the browser down cleanly if that takes no longer than a moment.
    pub(super) async fn close(mut self) {
        self.wire.tell(None, "Browser.close", json!({}));
        // Dropping kills whatever is left.
        let _ = tokio::time::timeout(Duration::from_secs(3), self.child.wait()).await;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        kill_group(&self.child);
        self.profile.remove();
    }
}

/// Kills the process group: the shell, the browser and all of its processes.
#[cfg(unix)]
fn kill_group(child: &Child) {
    // Without an id the process has ended and been reaped, and its number may be reused.
    let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: &Child) {}

/// Reports whether this process runs as root: Chromium refuses to use its sandbox then.
#[cfg(unix)]
pub(super) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
pub(super) fn is_root() -> bool {
    false
}

/// Returns the browser's program.
pub(super) fn program(config: &Config) -> Option<PathBuf> {
    if let Some(program) = &config.program {
        return Some(program.clone());
    }
    if let Some(program) = std::env::var_os("WINDROW_BROWSER").filter(|program| !program.is_empty()) {
        return Some(program.into());
    }
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    PROGRAMS.iter().find_map(|program| find(&folders, program))
}

fn find(folders: &[PathBuf], program: &str) -> Option<PathBuf> {
    folders.iter().map(|folder| folder.join(program)).find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

/// Reads the browser's error output, so that it never blocks, and keeps the last line.
fn listen(errors: tokio::process::ChildStderr) -> Arc<Mutex<String>> {
    let last = Arc::new(Mutex::new(String::new()));
    let kept = Arc::clone(&last);
    tokio::spawn(async move {
        let mut errors = BufReader::new(errors);
        let mut line = Vec::new();
        loop {
            line.clear();
            // Lines are cut, so that memory does not grow with output that a page causes.
            let mut part = tokio::io::AsyncReadExt::take(&mut errors, 4096);
            if !matches!(part.read_until(b'\n', &mut line).await, Ok(1..)) {
                break;
            }
            let text = String::from_utf8_lossy(&line).trim().to_owned();
            if !text.is_empty() {
                *kept.lock().unwrap_or_else(PoisonError::into_inner) = text;
            }
        }
    });
    last
}

/// Folder of a browser's profile, removed when dropped.
struct Profile {
    folder: PathBuf,
}

impl Profile {
    /// Creates a folder that other users cannot read.
    fn make() -> io::Result<Profile> {
        use std::hash::{BuildHasher, RandomState};
        let parent = std::env::temp_dir();
        // A collision is an accident, or an attacker who guessed 64 random bits.
        for attempt in 0..16_u32 {
            let random = RandomState::new().hash_one(attempt);
            let folder = parent.join(format!("windrow-browser-{random:016x}"));
            let mut builder = std::fs::DirBuilder::new();
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            match builder.create(&folder) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| Profile { folder }),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn remove(&self) {
        // Processes that were just killed may still be writing.
        for _ in 0..20 {
            match std::fs::remove_dir_all(&self.folder) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => std::thread::sleep(Duration::from_millis(10)),
                _ => return,
            }
        }
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        self.remove();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_a_file_that_can_be_run() {
        let folder = tempfile::tempdir().unwrap();
        let folders = [folder.path().to_owned()];
        std::fs::write(folder.path().join("chromium"), "").unwrap();
        #[cfg(unix)]
        {
            assert_eq!(find(&folders, "chromium"), None);
            let run = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(folder.path().join("chromium"), run).unwrap();
        }
        assert_eq!(find(&folders, "chromium"), Some(folder.path().join("chromium")));
        assert_eq!(find(&folders, "chrome"), None);
    }

    /// Asks a STUN server and waits until the browser has given up on it or has its answer.
    const STUN: &str = "(async () => {
        const connection = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:PORT' }] });
        connection.createDataChannel('x');
        await connection.setLocalDescription(await connection.createOffer());
        while (connection.iceGatheringState !== 'complete') await new Promise(done => setTimeout(done, 50));
        return 'gathered';
    })()";

    /// Reports whether a page in a browser with these flags can send UDP to a socket on loopback.
    async fn sends_udp(flags: &[&str]) -> bool {
        let canary = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        canary.set_nonblocking(true).unwrap();
        let process = Process::start_with(&Config::default(), flags).await.unwrap();
        let target = process.wire.call(None, "Target.createTarget", json!({ "url": "about:blank" })).await.unwrap();
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = process.wire.call(None, "Target.attachToTarget", attach).await.unwrap();
        let session = attached["sessionId"].as_str().unwrap();
        let script = STUN.replace("PORT", &canary.local_addr().unwrap().port().to_string());
        let evaluate = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let call = process.wire.call(Some(session), "Runtime.evaluate", evaluate);
        // Prevents a hang; the result does not depend on it.
        let result = tokio::time::timeout(Duration::from_secs(300), call).await.unwrap().unwrap();
        assert_eq!(result["result"]["value"], "gathered", "{result}");
        canary.recv(&mut [0; 2000]).is_ok()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_browser_sends_no_udp_past_its_proxy() {
        if program(&Config::default()).is_none() {
            return;
        }
        let unguarded: Vec<&str> = FLAGS.into_iter().filter(|flag| *flag != WEBRTC_POLICY).collect();
        assert!(sends_udp(&unguarded).await, "without the policy, this test has to see a datagram");
        assert!(!sends_udp(&FLAGS).await);
    }

    #[test]
    fn a_profile_is_gone_when_it_is_dropped() {
        let profile = Profile::make().unwrap();
        let folder = profile.folder.clone();
        std::fs::create_dir(folder.join("Default")).unwrap();
        drop(profile);
        assert!(!folder.exists());
    }
}
