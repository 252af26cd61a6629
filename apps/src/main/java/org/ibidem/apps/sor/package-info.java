/// `sor`: heat spreads over a plate until nothing changes, on as many processes as are given.
///
/// The plate is a square of cells. Some cells have a fixed temperature, taken from a picture where
/// it is rich ([Anchors]); all others relax to the mean of their four neighbours (Laplace's
/// equation) by red/black successive over-relaxation. What comes out is the picture, rebuilt by
/// diffusion from a few percent of its points: a person sees at a glance whether it is right, and
/// [Sequential] says it to the bit.
///
/// A process holds a block of rows and one foreign row above and below it ([Block]); it sends its
/// outermost rows as soon as they are new and reads its neighbours' after it has done the rest
/// ([Halo]). The largest residual travels up a tree of processes and down again ([Tree]).
///
/// - D. M. Young: Iterative methods for solving partial difference equations of elliptic type.
///   Trans. AMS 76, 1954.
/// - Z. Belhachmi, D. Bucur, B. Burgeth, J. Weickert: How to choose interpolation data in images.
///   SIAM J. Appl. Math. 70(1), 2009.
package org.ibidem.apps.sor;
