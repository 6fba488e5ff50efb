/** A turn has come while nobody looks: one sound and one notification, in one tab of the browser. */

import { now, read, write } from "./store.js";

const HELD_MS = 5000;
const HEAD_START_MS = 300;
const NOTES = [[660, 0], [880, 0.13]];
const LASTS_S = 0.3;
const QUIET = 0.0001;
const LOUD = 0.12;

/** @typedef {{title: string, text: string, address: string}} Message */

/** @type {AudioContext | undefined} */
let audio;

/**
 * Call the player to a turn, unless it comes before their eyes; only one of the tabs does so.
 * @param {string} key  what is announced once
 * @param {Message} message
 */
export async function call(key, message) {
  const seen = document.hasFocus();
  if (!seen) await pause(HEAD_START_MS); // a tab that the player looks at comes first
  const first = () => seen || announce(message);
  if (navigator.locks) {
    await navigator.locks.request(`turn ${key}`, { ifAvailable: true }, (lock) => (lock ? (first(), pause(HELD_MS)) : undefined));
  } else if (read("called", "") !== key) {
    write("called", key); // on plain http there are no locks
    first();
  }
}

/** @param {number} ms @returns {Promise<void>} */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {Message} message */
function announce({ title, text, address }) {
  if (now().settings.sound) chime();
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const shown = new Notification(title, { body: text });
    shown.onclick = () => {
      focus();
      location.hash = address;
      shown.close();
    };
  } catch {
    // phones show notifications only from a service worker
  }
}

/** Play two short notes; a browser that has seen no tap yet stays silent. */
function chime() {
  audio ??= new AudioContext();
  for (const [pitch = 0, after = 0] of NOTES) {
    const [tone, volume, start] = [audio.createOscillator(), audio.createGain(), audio.currentTime + after];
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(LOUD, start);
    volume.gain.exponentialRampToValueAtTime(QUIET, start + LASTS_S);
    tone.connect(volume).connect(audio.destination);
    tone.start(start);
    tone.stop(start + LASTS_S);
  }
}
