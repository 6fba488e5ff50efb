/** Five short sounds, made of tones and of noise. */

import { now } from "./page.js";

/** @typedef {"card" | "trick" | "turn" | "win" | "loss"} Sound */
/** Pitches in hertz, 0 for noise, and after how many seconds each begins. @type {Record<Sound, [pitch: number, after: number][]>} */
const NOTES = {
  card: [[0, 0]],
  trick: [
    [0, 0],
    [0, 0.06],
    [196, 0.08],
  ],
  turn: [
    [660, 0],
    [880, 0.13],
  ],
  win: [
    [523, 0],
    [659, 0.11],
    [784, 0.22],
    [1047, 0.33],
  ],
  loss: [
    [392, 0],
    [330, 0.16],
    [262, 0.32],
  ],
};
const [TONE_S, NOISE_S] = [0.3, 0.05];
const [LOUD, QUIET] = [0.12, 0.0001];
/** Noise without the tones below this frequency sounds like paper. */
const PAPER_HZ = 1800;

/** @type {AudioContext | undefined} */
let audio;

/** Play a sound, if the reader wants any; a browser that has seen no tap yet would keep it for later, and is not asked. @param {Sound} sound */
export function play(sound) {
  if (!now().settings.sound || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  // A phone stops it, such as for a call.
  void audio.resume();
  for (const [pitch, after] of NOTES[sound]) {
    const [volume, start] = [audio.createGain(), audio.currentTime + after];
    const lasts = pitch ? TONE_S : NOISE_S;
    const source = pitch ? tone(audio, pitch) : noise(audio);
    volume.gain.setValueAtTime(LOUD, start);
    volume.gain.exponentialRampToValueAtTime(QUIET, start + lasts);
    volume.connect(audio.destination);
    (pitch ? source : source.connect(new BiquadFilterNode(audio, { type: "highpass", frequency: PAPER_HZ }))).connect(
      volume,
    );
    source.start(start);
    source.stop(start + lasts);
  }
}

/** @param {AudioContext} audio @param {number} frequency */
const tone = (audio, frequency) => new OscillatorNode(audio, { frequency });

/** @param {AudioContext} audio */
function noise(audio) {
  const buffer = audio.createBuffer(1, audio.sampleRate * NOISE_S, audio.sampleRate);
  buffer.copyToChannel(
    Float32Array.from({ length: buffer.length }, () => 2 * Math.random() - 1),
    0,
  );
  return new AudioBufferSourceNode(audio, { buffer });
}
