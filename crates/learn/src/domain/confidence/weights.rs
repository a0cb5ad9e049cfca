//! Written by `tools/fit-confidence`; do not edit.

/// The weights of [`FEATURES`](super::FEATURES), in their order; fitted to 4240 values of 152 sites.
pub(super) const WEIGHTS: [f32; 40] = [
    -0.7050, 0.6740, 0.2488, -0.0784, 0.7883, 0.1616, 0.0488, -0.8367, 0.4287, 0.8335, 0.2464, -0.3056, -0.8236,
    0.0000, 0.0662, -0.2740, -0.2050, 0.9832, 0.8103, 0.0310, 0.3018, 0.4968, 0.4903, 0.1663, -0.7799, -0.1588,
    -0.7390, -0.4913, 0.4377, -0.0853, -1.1474, -0.5889, 0.8063, 1.2238, -0.8481, 0.0860, -0.7940, 0.5184, 1.0000,
    -1.0000,
];
/// The log odds of a value without any feature.
pub(super) const BIAS: f32 = 3.0366;
/// The default threshold: the highest F1 on sites that the weights were not fitted to.
pub const LEAST: f32 = 0.45;
