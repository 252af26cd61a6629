/// `raytracer`: a picture of balls on a floor that mirror each other, halved until a part is small
/// (after Whitted, CACM 1980). Only operations whose result is the same everywhere are used, so the
/// picture is equal pixel for pixel to the sequential one, with which it is compared.
package org.ibidem.apps.raytracer;
