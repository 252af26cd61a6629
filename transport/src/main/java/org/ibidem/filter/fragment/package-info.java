/// Smaller frames: the filter `fragment`.
package org.ibidem.filter.fragment;
