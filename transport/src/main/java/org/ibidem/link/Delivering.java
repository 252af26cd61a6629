package org.ibidem.link;

/// An ability of drivers and filters: what they deliver is not what they get from below.
///
/// From the bottom up this says what a stack delivers before anything is built (`Stack.delivery`);
/// the built link says the same, or better ([Link#delivery]). A port type that is reliable refuses
/// a stack that is not faithful; one that does without gets the filter `whole` over it.
public interface Delivering {
    /// What is delivered here.
    ///
    /// @param below what is delivered below; of a driver: faithful
    /// @param options an instance of the part's options
    DeliveryFaults delivery(DeliveryFaults below, Record options);
}
