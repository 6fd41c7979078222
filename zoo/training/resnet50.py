#!/usr/bin/env python3
"""Trains ResNet-50 on a small synthetic task until an accuracy is reached. No network or data needed.

Usage: resnet50.py [--steps N] [--seed N] [--batch N] [--target ACCURACY] [--size PIXELS] ...
"""
import images

if __name__ == "__main__":
    images.main("resnet50", steps=200, epoch_steps=10, batch=32, target=0.95)
